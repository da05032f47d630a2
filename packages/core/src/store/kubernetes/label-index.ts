import type { Kind, Resource } from '../../kinds/index.ts';
import type { Requirement, Selector } from '../selector.ts';

type Names = Set<string>;

/** The names of objects by their labels, for the labels that a kind declares as indexed. */
export class LabelIndex {
  readonly #byLabel: ReadonlyMap<string, Map<string, Names>>;

  constructor({ indexedLabels }: Pick<Kind, 'indexedLabels'>) {
    this.#byLabel = new Map(indexedLabels.map((label) => [label, new Map<string, Names>()]));
  }

  replace(name: string, before: Resource | undefined, after: Resource | undefined): void {
    for (const [label, byValue] of this.#byLabel) {
      const [old, now] = [before?.metadata.labels?.[label], after?.metadata.labels?.[label]];
      if (old === now) continue;
      if (old !== undefined) remove(byValue, old, name);
      if (now !== undefined) add(byValue, now, name);
    }
  }

  /** The names of all objects that can match, and possibly others; undefined if no index helps. */
  candidates(selector: Selector): Iterable<string> | undefined {
    let best: readonly Names[] | undefined;
    for (const requirement of selector) {
      const found = this.#found(requirement);
      if (found && (!best || sizeOf(found) < sizeOf(best))) best = found;
    }
    return best?.length === 1 ? best[0] : best && new Set(best.flatMap((names) => [...names]));
  }

  #found(requirement: Requirement): readonly Names[] | undefined {
    const byValue = this.#byLabel.get(requirement.key);
    if (!byValue) return undefined;
    switch (requirement.operator) {
      case 'in':
        return requirement.values.flatMap((value) => byValue.get(value) ?? []);
      case 'exists':
        return [...byValue.values()];
      case 'notIn':
      case 'absent':
        return undefined;
    }
  }
}

function add(byValue: Map<string, Names>, value: string, name: string): void {
  const names = byValue.get(value);
  if (names) names.add(name);
  else byValue.set(value, new Set([name]));
}

function remove(byValue: Map<string, Names>, value: string, name: string): void {
  const names = byValue.get(value);
  names?.delete(name);
  if (names?.size === 0) byValue.delete(value);
}

function sizeOf(found: readonly Names[]): number {
  return found.reduce((sum, names) => sum + names.size, 0);
}
