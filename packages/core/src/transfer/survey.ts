import { createHash } from 'node:crypto';

import { Problem } from '../errors/index.ts';
import type { Resource } from '../kinds/index.ts';
import type { StoredObject } from '../store/index.ts';
import type { ObjectSource } from './source.ts';

export interface Survey {
  /** How many objects there are of each kind, by the id of the kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  /** The same for the same objects in every store. */
  readonly digest: string;
  /** How many owners an object has above it. Owners are written before the objects that they own. */
  depthOf(stored: StoredObject): number;
  /** The largest depth. */
  readonly depth: number;
}

/** Reads all objects once. */
export async function survey(source: ObjectSource, read?: (done: number) => void): Promise<Survey> {
  const counts = new Map<string, number>();
  const owners = new Map<string, readonly string[]>();
  const digest = createHash('sha256');
  let total = 0;
  for await (const stored of source.objects()) {
    const { kind, object } = stored;
    counts.set(kind.id, (counts.get(kind.id) ?? 0) + 1);
    digest.update(textOf(stored)).update('\n');
    const { uid, ownerReferences = [] } = object.metadata;
    if (ownerReferences.length > 0)
      owners.set(
        uid,
        ownerReferences.map((owner) => owner.uid),
      );
    total++;
    read?.(total);
  }
  const depths = depthsOf(owners);
  return {
    counts,
    total,
    digest: digest.digest('hex'),
    depthOf: ({ object }) => depths.get(object.metadata.uid) ?? 0,
    depth: Math.max(0, ...depths.values()),
  };
}

/** The content of an object as text, the same in every store. Versions differ from store to store. */
export function textOf({ kind, object }: StoredObject): string {
  const metadata = { ...object.metadata, resourceVersion: undefined };
  return `${kind.id} ${canonical({ metadata, spec: object.spec, status: object.status })}`;
}

/** JSON with the fields in order of name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function depthsOf(owners: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const depthOf = (uid: Resource['metadata']['uid'], below: ReadonlySet<string>): number => {
    if (below.has(uid)) throw new Problem('invalid_object', `the object with the uid ${uid} owns itself`);
    const known = depths.get(uid);
    const above = owners.get(uid);
    if (known !== undefined || !above) return known ?? 0;
    const depth = 1 + Math.max(...above.map((owner) => depthOf(owner, new Set([...below, uid]))));
    depths.set(uid, depth);
    return depth;
  };
  for (const uid of owners.keys()) depthOf(uid, new Set());
  return depths;
}
