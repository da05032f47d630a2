import type { Resource } from '../kinds/index.ts';

/** The entity tag of a resource. It changes whenever a visible field of the resource may have changed. */
export function etagOf(object: Resource): string {
  return tagOf(object.metadata.resourceVersion);
}

/** The entity tag of a version. */
export function tagOf(version: string): string {
  return `"${version}"`;
}

/** Whether a list of entity tags, as in If-Match and If-None-Match, contains this one. */
export function namesEtag(header: string, etag: string): boolean {
  return header.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
