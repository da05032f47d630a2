import type { Manifest } from './manifest.ts';
import type { Mistake } from './mistakes.ts';
import { referencesOf, type Reference } from './references.ts';

/** A manifest with its references. */
export interface Linked {
  readonly manifest: Manifest;
  readonly links: readonly Link[];
}

export interface Link {
  readonly reference: Reference;
  /** The manifest in the files that is referenced; undefined for an existing resource that is not in the files. */
  readonly target: Manifest | undefined;
}

export interface Ordered {
  /**
   * Sorted by dependencies: first the manifests without references to others, then those that refer only to these, and
   * so on. Otherwise in the order of the files.
   */
  readonly linked: readonly Linked[];
  readonly mistakes: readonly Mistake[];
}

export function ordered(manifests: readonly Manifest[]): Ordered {
  const done: Linked[] = [];
  let waiting = manifests.map((manifest) => linkedOf(manifest, manifests));
  const mistakes = [...duplicates(manifests), ...ambiguities(manifests)];
  while (waiting.length > 0) {
    const next = waiting.find(({ links }) =>
      links.every(({ target }) => !target || done.some(({ manifest }) => manifest === target)),
    );
    if (!next) return { linked: done, mistakes: [...mistakes, circleIn(waiting)] };
    done.push(next);
    waiting = waiting.filter((each) => each !== next);
  }
  return { linked: waves(done).flat(), mistakes };
}

/** In groups: each group needs only the groups before it. */
export function waves<Each extends Linked>(linked: readonly Each[]): readonly (readonly Each[])[] {
  const depths = new Map<Manifest, number>();
  const groups: Each[][] = [];
  for (const each of linked) {
    const depth = Math.max(0, ...each.links.flatMap(({ target }) => (target ? [(depths.get(target) ?? 0) + 1] : [])));
    depths.set(each.manifest, depth);
    (groups[depth] ??= []).push(each);
  }
  return groups;
}

/** The text in messages, such as `network/web`. */
export function labelOf({ noun, name }: Manifest): string {
  return `${noun.name}/${name}`;
}

function linkedOf(manifest: Manifest, manifests: readonly Manifest[]): Linked {
  return {
    manifest,
    links: referencesOf(manifest).map((reference) => ({
      reference,
      target: targetsOf(reference, manifest, manifests)[0],
    })),
  };
}

/** Several manifests may have the same name in different scopes. Then the one in the same scope is used. */
function targetsOf({ noun, text }: Reference, from: Manifest, manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(
    (each) =>
      each !== from &&
      each.noun === noun &&
      each.name === text &&
      places.every((key) => isBeside(each.body.spec[key], from.body.spec[key])),
  );
}

const places = ['organizationId', 'projectId', 'regionId', 'networkId'];

function isBeside(place: unknown, other: unknown): boolean {
  return place === undefined || other === undefined || place === other;
}

function duplicates(manifests: readonly Manifest[]): readonly Mistake[] {
  return manifests.flatMap((manifest, index) => {
    const first = manifests
      .slice(0, index)
      .find(
        (each) =>
          each.noun === manifest.noun &&
          each.name === manifest.name &&
          places.every((key) => each.body.spec[key] === manifest.body.spec[key]),
      );
    return first
      ? [
          {
            at: manifest.at(''),
            message: `${labelOf(manifest)} is defined twice; the first definition is at ${first.at('')}`,
          },
        ]
      : [];
  });
}

function ambiguities(manifests: readonly Manifest[]): readonly Mistake[] {
  return manifests.flatMap((manifest) =>
    referencesOf(manifest)
      .filter((reference) => targetsOf(reference, manifest, manifests).length > 1)
      .map(({ path, noun, text }) => ({
        at: manifest.at(path),
        message: `several ${noun.plural} in the files are called ${text}; it is not clear which one is meant`,
      })),
  );
}

/**
 * Follows the dependencies until a manifest comes again. This finds the cycle, because every remaining manifest waits
 * for another.
 */
function circleIn(waiting: readonly Linked[]): Mistake {
  const path: Manifest[] = [];
  let current = waiting[0];
  while (current && !path.includes(current.manifest)) {
    path.push(current.manifest);
    const needs = current.links.map(({ target }) => target);
    current = waiting.find(({ manifest }) => needs.includes(manifest));
  }
  const circle = current ? [...path.slice(path.indexOf(current.manifest)), current.manifest] : path;
  return {
    at: circle[0]?.at('') ?? '',
    message: `these resources depend on each other in a circle: ${circle.map(labelOf).join(' → ')}`,
  };
}
