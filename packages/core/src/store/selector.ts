export type Requirement =
  | { readonly key: string; readonly operator: 'in' | 'notIn'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'exists' | 'absent' };

/** All requirements must hold. `in` without values matches nothing; `notIn` also matches objects without the label. */
export type Selector = readonly Requirement[];

/**
 * The usual selector: labels equal to a value, or to one of several.
 *
 * @example matching({ [labels.project]: projectId, [labels.network]: [a, b] })
 */
export function matching(wanted: Readonly<Record<string, string | readonly string[]>>): Selector {
  return Object.entries(wanted).map(([key, value]) => ({
    key,
    operator: 'in',
    values: typeof value === 'string' ? [value] : value,
  }));
}

/** @example matches(matching({ [labels.project]: projectId }), network.metadata.labels) */
export function matches(selector: Selector | undefined, labels: Readonly<Record<string, string>> | undefined): boolean {
  return selector?.every((requirement) => holds(requirement, labels?.[requirement.key])) ?? true;
}

function holds(requirement: Requirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case 'notIn':
      return value === undefined || !requirement.values.includes(value);
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
  }
}
