import { limits } from '../limits.ts';
import type { OwnerReference, WritableMetadata } from './metadata.ts';
import { pointerTo } from './pointer.ts';
import { isLabelValue, isQualifiedName, isSubdomain } from './syntax.ts';

/** A problem of an object: the place, and the rule that it violates. */
export interface Violation {
  readonly path: string;
  readonly rule: string;
  /** Whether a caller wrote too much, as opposed to a bug of ours. */
  readonly tooLarge?: true;
  /** For the log only. */
  readonly cause?: unknown;
}

type Words = Readonly<Record<string, string>>;

const keyRule = `must be a name of at most ${limits.labelLength} characters, or a DNS prefix, a slash and such a name`;

/** The rules that Kubernetes has for the metadata of every object, so that every object can also be stored there. */
export function metadataViolation(metadata: WritableMetadata): Violation | undefined {
  return (
    nameViolation(metadata.name) ??
    labelsViolation(metadata.labels) ??
    annotationsViolation(metadata.annotations) ??
    finalizersViolation(metadata.finalizers) ??
    ownersViolation(metadata.ownerReferences)
  );
}

function nameViolation(name: string): Violation | undefined {
  if (isSubdomain(name)) return undefined;
  return { path: '/metadata/name', rule: `must be a lower-case DNS name of at most ${limits.nameLength} characters` };
}

function labelsViolation(labels: Words = {}): Violation | undefined {
  for (const key in labels) {
    if (!isQualifiedName(key)) return { path: pointerTo('metadata', 'labels', key), rule: `its key ${keyRule}` };
    if (!isLabelValue(labels[key] ?? '')) {
      return {
        path: pointerTo('metadata', 'labels', key),
        rule: `must be empty or at most ${limits.labelLength} letters, digits, dashes, underscores and dots, the first and last a letter or digit`,
      };
    }
  }
  return undefined;
}

function annotationsViolation(annotations: Words = {}): Violation | undefined {
  let bytes = 0;
  for (const key in annotations) {
    if (!isQualifiedName(key)) return { path: pointerTo('metadata', 'annotations', key), rule: `its key ${keyRule}` };
    bytes += key.length + Buffer.byteLength(annotations[key] ?? '');
  }
  return bytes > limits.annotationsBytes
    ? {
        path: '/metadata/annotations',
        rule: `must take at most ${limits.annotationsBytes} bytes together`,
        tooLarge: true,
      }
    : undefined;
}

function finalizersViolation(finalizers: readonly string[] = []): Violation | undefined {
  const path = '/metadata/finalizers';
  const malformed = finalizers.findIndex((finalizer) => !isQualifiedName(finalizer));
  if (malformed >= 0) return { path: pointerTo('metadata', 'finalizers', String(malformed)), rule: keyRule };
  return finalizers.length > 1 && new Set(finalizers).size < finalizers.length
    ? { path, rule: 'must not hold the same finalizer twice' }
    : undefined;
}

const ownerFields = ['apiVersion', 'kind', 'name', 'uid'] as const satisfies readonly (keyof OwnerReference)[];

function ownersViolation(owners: readonly OwnerReference[] = []): Violation | undefined {
  for (const [index, owner] of owners.entries()) {
    const missing = ownerFields.find((field) => !owner[field]);
    if (missing)
      return { path: pointerTo('metadata', 'ownerReferences', String(index), missing), rule: 'must not be empty' };
  }
  return owners.filter((owner) => owner.controller).length > 1
    ? { path: '/metadata/ownerReferences', rule: 'must not name more than one controller' }
    : undefined;
}
