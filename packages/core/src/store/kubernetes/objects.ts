import { isDeepStrictEqual } from 'node:util';

import type { Kind, Resource, WritableMetadata } from '../../kinds/index.ts';
import { deepFreeze } from '../encoding.ts';
import type { Selector } from '../selector.ts';
import {
  ownersInKubernetes,
  ownersOutside,
  rememberOrigin,
  splitAnnotations,
  withOrigin,
  type Origin,
} from './origin.ts';

/** Where the objects of a kind are, below the address of the API server. */
export function collectionPath({ apiVersion, plural }: Kind, namespace: string): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;
}

/**
 * The stored object in the form of every engine. Fields that only Kubernetes has, such as `managedFields`, are left
 * out. Some kinds of Kubernetes, such as leases, have no generation. An object that was moved here has the uid, the
 * times and the generation that it had before.
 */
export function decodeObject({ apiVersion, kind }: Kind, { metadata, spec, status }: Resource): Resource {
  const { name, labels, finalizers, resourceVersion } = metadata;
  const { origin, annotations } = splitAnnotations(metadata.annotations ?? {});
  const { ownerReferences } = metadata;
  // The type says that it is always there.
  const generation = 'generation' in metadata ? metadata.generation : 1;
  const deletionTimestamp = metadata.deletionTimestamp && (origin?.deletionTimestamp ?? metadata.deletionTimestamp);
  const object = deepFreeze({
    apiVersion,
    kind,
    metadata: {
      name,
      ...(labels ? { labels } : {}),
      ...(metadata.annotations && annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
      ...(ownerReferences
        ? { ownerReferences: origin ? ownersOutside(ownerReferences, origin) : ownerReferences }
        : {}),
      uid: origin?.uid ?? metadata.uid,
      resourceVersion,
      generation: generation + (origin?.generation ?? 0),
      creationTimestamp: origin?.creationTimestamp ?? metadata.creationTimestamp,
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec,
    ...(status === undefined ? {} : { status }),
  });
  if (origin) rememberOrigin(object, metadata.uid, origin);
  return object;
}

/** The API server has checked the object against the schema of its kind, so its shape needs no other check. */
export function asResource(value: unknown): Resource;
export function asResource(value: unknown): unknown {
  return value;
}

/** The body of a write. The API server ignores the status of an update, and everything but the status of the other. */
export function encodeObject(
  { apiVersion, kind }: Kind,
  { metadata, spec, status }: Pick<Resource, 'spec' | 'status'> & { readonly metadata: Body },
  origin: Origin = {},
): string {
  return JSON.stringify({ apiVersion, kind, metadata: bodyMetadata(metadata, origin), spec, status });
}

type Body = WritableMetadata & { readonly resourceVersion?: string; readonly uid?: string };

function bodyMetadata({ name, labels, finalizers, resourceVersion, uid, ...metadata }: Body, origin: Origin): Body {
  const annotations = withOrigin(metadata.annotations, origin);
  const { ownerReferences } = metadata;
  return {
    name,
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    ...(finalizers ? { finalizers } : {}),
    ...(ownerReferences ? { ownerReferences: ownersInKubernetes(ownerReferences, origin) } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(uid ? { uid } : {}),
  };
}

/** Whether a write of this object made the stored object, apart from what the API server adds. */
export function isWrittenAs(stored: Resource, written: Resource): boolean {
  return isDeepStrictEqual(content(stored), content(written));
}

/** Whether a status write of this object made the stored object. */
export function isReportedAs(stored: Resource, written: Resource): boolean {
  return (
    stored.metadata.generation === written.metadata.generation &&
    isDeepStrictEqual(plain(stored.status ?? {}), plain(written.status ?? {}))
  );
}

function content({ metadata, spec }: Resource): unknown {
  const { name, labels, annotations, finalizers, ownerReferences } = metadata;
  return plain({ name, labels, annotations, finalizers, ownerReferences, spec });
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The selector in the notation of Kubernetes; undefined if no object can match. */
export function labelSelector(selector: Selector): string | undefined {
  const terms: string[] = [];
  for (const requirement of selector) {
    switch (requirement.operator) {
      case 'in':
        if (requirement.values.length === 0) return undefined;
        terms.push(`${requirement.key} in (${requirement.values.join(',')})`);
        break;
      case 'notIn':
        if (requirement.values.length > 0) terms.push(`${requirement.key} notin (${requirement.values.join(',')})`);
        break;
      case 'exists':
        terms.push(requirement.key);
        break;
      case 'absent':
        terms.push(`!${requirement.key}`);
        break;
    }
  }
  return terms.join(',');
}
