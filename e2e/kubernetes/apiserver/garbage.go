package main

import (
	"context"
	"time"

	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

// How soon the garbage collector notices new kinds, and how long it waits for the caches of all of them.
const discovery = time.Second

// The garbage collector of Kubernetes' own controller manager, which deletes objects whose owners are gone.
func collectGarbage(ctx context.Context, access *Access) error {
	config := &rest.Config{
		Host:  access.URL,
		QPS:   1000,
		Burst: 1000,
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   []byte(access.Authority),
			CertData: []byte(access.Certificate),
			KeyData:  []byte(access.Key),
		},
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	objects, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	started := make(chan struct{})
	close(started)
	collector, err := garbagecollector.NewGarbageCollector(ctx, client, objects, mapper,
		garbagecollector.DefaultIgnoredResources(),
		informerfactory.NewInformerFactory(
			informers.NewSharedInformerFactory(client, 0),
			metadatainformer.NewSharedInformerFactory(objects, 0),
		), started)
	if err != nil {
		return err
	}
	go collector.Run(ctx, 8, discovery)
	go collector.Sync(ctx, client.Discovery(), discovery)
	return nil
}
