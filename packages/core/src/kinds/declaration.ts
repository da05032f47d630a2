import { fieldPath } from './immutable.ts';
import type { Kind } from './kind.ts';
import { ruleDefects } from './rules.ts';
import { requiredProperties } from './schema.ts';
import { structural } from './structural.ts';
import { isQualifiedName, isSubdomain } from './syntax.ts';

/**
 * Refuses a kind that some engine could not store, when it is declared: this is a programming error, and should not
 * first appear when an object is stored.
 */
export function checkDeclaration(kind: Kind): void {
  const defects = [
    ...nameDefects(kind),
    ...schemaDefects(kind),
    ...labelDefects(kind),
    ...ruleDefects(kind.admission, kind.spec, kind.status),
  ];
  if (defects.length > 0) throw new Error(`the declaration of ${kind.kind} must be corrected: ${defects.join('; ')}`);
}

function nameDefects({ group, version, kind, plural }: Kind): readonly string[] {
  return [
    ...(isSubdomain(group) && group.includes('.') ? [] : ['the group must be a lower-case DNS name with a dot']),
    ...(/^v[1-9]\d*(?:(?:alpha|beta)[1-9]\d*)?$/.test(version)
      ? []
      : ['the version must be like v1, v1beta1 or v1alpha1']),
    ...(/^[A-Z][A-Za-z0-9]{0,62}$/.test(kind) ? [] : ['the kind must be CamelCase']),
    ...(/^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(plural) ? [] : ['the plural must be a lower-case DNS label']),
  ];
}

function schemaDefects({ spec, ownStatus, status, immutable }: Kind): readonly string[] {
  return [
    ...defectOf(() => structural(spec, '/spec')),
    ...defectOf(() => structural(ownStatus, '/status')),
    ...requiredProperties(ownStatus).map(
      (name) => `/status/${name} must be optional, because a status is filled step by step`,
    ),
    ...Object.keys(ownStatus.properties)
      .filter((name) => ownStatus.properties[name] !== status.properties[name])
      .map((name) => `/status/${name} is reserved for the framework: use another name`),
    ...immutable.flatMap((pointer) => defectOf(() => fieldPath(pointer, spec))),
  ];
}

function defectOf(attempt: () => unknown): readonly string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function labelDefects({ indexedLabels, requiredLabels }: Kind): readonly string[] {
  const malformed = [...indexedLabels, ...requiredLabels]
    .filter((label) => !isQualifiedName(label))
    .map((label) => `the label ${label} is not a label key`);
  return new Set(indexedLabels).size < indexedLabels.length ? [...malformed, 'a label is indexed twice'] : malformed;
}
