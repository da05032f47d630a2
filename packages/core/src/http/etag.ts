import type { Resource } from '../kinds/index.ts';

/** The entity tag of a resource: it changes whenever anything a client can see of it may have. */
export function etagOf(object: Resource): string {
  return `"${object.metadata.resourceVersion}"`;
}

/** Whether a list of entity tags, as in If-Match and If-None-Match, names this one. */
export function namesEtag(header: string, etag: string): boolean {
  return header.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
