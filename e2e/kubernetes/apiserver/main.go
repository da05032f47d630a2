// A Kubernetes API server for tests: the real one, with its etcd inside, on 127.0.0.1, and the garbage collector.
// It prints its address and credentials on one line of standard output, and exits when its standard input ends.
// With a folder as its argument it keeps its state, credentials and port there, so that it can be killed and started
// again. Without one, everything is deleted when it exits.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// Access is what a client needs, as PEM and plain text.
type Access struct {
	URL         string `json:"url"`
	Authority   string `json:"authority"`
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	// Whoever shows this token is known to the server and may do nothing.
	Stranger string `json:"stranger"`
}

func main() {
	if len(os.Args) > 1 {
		if err := serve(os.Args[1]); err != nil {
			log.Fatal(err)
		}
		return
	}
	folder, err := os.MkdirTemp("", "unikorn-kubernetes-")
	if err != nil {
		log.Fatal(err)
	}
	err = serve(folder)
	os.RemoveAll(folder)
	if err != nil {
		log.Fatal(err)
	}
}

// The file of a kept folder with the access of the first start.
const accessFile = "access.json"

// Credentials and listener of the first start, or those of an earlier start in the same folder.
func prepare() (*Access, net.Listener, error) {
	text, err := os.ReadFile(accessFile)
	if err == nil {
		access := &Access{}
		if err := json.Unmarshal(text, access); err != nil {
			return nil, nil, err
		}
		address, err := url.Parse(access.URL)
		if err != nil {
			return nil, nil, err
		}
		listener, err := net.Listen("tcp", address.Host)
		return access, listener, err
	}
	access, err := writeCredentials()
	if err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	access.URL = "https://" + listener.Addr().String()
	text, err = json.Marshal(access)
	if err != nil {
		return nil, nil, err
	}
	return access, listener, os.WriteFile(accessFile, text, 0o600)
}

func serve(folder string) error {
	// Sockets of etcd are named relative to where the process is.
	if err := os.Chdir(folder); err != nil {
		return err
	}
	access, listener, err := prepare()
	if err != nil {
		return err
	}
	if err := startEtcd(); err != nil {
		return err
	}

	ended := make(chan error, 2)
	go func() { ended <- runServer(context.Background(), listener) }()
	if err := collectGarbage(context.Background(), access); err != nil {
		return err
	}
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		ended <- err
	}()
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	if err := json.NewEncoder(os.Stdout).Encode(access); err != nil {
		return err
	}
	// Tests also kill the server, so it needs no orderly end.
	select {
	case err := <-ended:
		return err
	case <-interrupted:
		return nil
	}
}

func startEtcd() error {
	config := embed.NewConfig()
	config.Dir = "etcd"
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Host: "client:0"}}
	config.AdvertiseClientUrls = config.ListenClientUrls
	config.ListenPeerUrls = []url.URL{{Scheme: "unix", Host: "peer:0"}}
	config.AdvertisePeerUrls = config.ListenPeerUrls
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	store, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	<-store.Server.ReadyNotify()
	return nil
}

func runServer(ctx context.Context, listener net.Listener) error {
	server := options.NewServerRunOptions()
	flags := pflag.NewFlagSet("apiserver", pflag.ContinueOnError)
	for _, set := range server.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	server.SecureServing.Listener = listener
	server.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	if err := flags.Parse([]string{
		"--etcd-servers=unix://client:0",
		"--bind-address=127.0.0.1",
		"--tls-cert-file=" + serverCertificate, "--tls-private-key-file=" + serverKey,
		"--client-ca-file=" + authorityCertificate,
		"--token-auth-file=" + tokens,
		"--authorization-mode=RBAC",
		"--service-account-issuer=https://unikorn.test",
		"--service-account-key-file=" + serverKey, "--service-account-signing-key-file=" + serverKey,
		"--service-cluster-ip-range=10.0.0.0/24",
		"--endpoint-reconciler-type=none",
		"--disable-admission-plugins=ServiceAccount",
	}); err != nil {
		return err
	}
	completed, err := server.Complete(ctx)
	if err != nil {
		return err
	}
	return app.Run(ctx, completed)
}
