import type { Destruction } from '../ask.ts';
import { nouns } from '../nouns/index.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import { about, list, nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import type { ApplyCall } from './carry-out.ts';
import { deleteTogether, lossesOf, type Doomed } from './delete.ts';
import { dryRunHint } from './guard.ts';
import { labelOf } from './order.ts';
import { summarise } from './outcome.ts';
import type { Step } from './plan.ts';
import { canBeInSet, setTag } from './set.ts';

/**
 * The resources that earlier runs applied with this set, and that the files no longer contain. Only the projects of the
 * command and of the files are searched, so that a set with the same name in another project is not touched.
 */
export async function leftOver(set: string, steps: readonly Step[], session: Session): Promise<readonly Doomed[]> {
  const projects = new Set([await session.optionalIdOf('project'), ...(await projectsOf(steps))]);
  const kept = new Set(steps.map(({ existing }) => existing?.metadata.id));
  const found = await Promise.all(
    [...projects].flatMap((project) =>
      project === undefined
        ? []
        : nouns.filter(canBeInSet).map(async (noun) => {
            const there = about(session, { project });
            const members = await list(there, noun, { tag: [`${setTag}=${set}`] });
            return members
              .filter(({ metadata }) => !kept.has(metadata.id) && metadata.deletionTime === undefined)
              .map((existing) => doomed(noun, existing, there, set));
          }),
    ),
  );
  return found.flat();
}

async function projectsOf(steps: readonly Step[]): Promise<readonly (string | undefined)[]> {
  return Promise.all(
    steps
      .filter(({ manifest, missing }) => manifest.noun.scope.includes('project') && !missing.has('project'))
      .map(async ({ existing, session }) => existing?.metadata.projectId ?? (await session.optionalIdOf('project'))),
  );
}

function doomed(noun: Noun, existing: Named, session: Session, set: string): Doomed {
  const manifest = { noun, name: nameOf(noun, existing), body: { metadata: {}, spec: {} }, at: () => `the set ${set}` };
  return { manifest, existing, session, links: [], missing: new Set(), objects: new Map() };
}

/** What pruning destroys; empty if nothing is left over. */
export async function pruningOf(left: readonly Doomed[], set: string | undefined): Promise<readonly Destruction[]> {
  if (left.length === 0 || set === undefined) return [];
  return [
    {
      verb: 'delete',
      what: `${left.map(({ manifest }) => labelOf(manifest)).join(', ')}, which the set ${set} contained before and the files no longer contain`,
      losses: await lossesOf(left),
      hint: dryRunHint,
    },
  ];
}

/** Deletes the resources, each after those that may use it. */
export async function prune(left: readonly Doomed[], call: ApplyCall): Promise<void> {
  const depths = [...new Set(left.map(({ manifest }) => depthOf(manifest.noun)))].toSorted((one, other) => other - one);
  let failed = 0;
  for (const depth of depths) {
    const due = left.filter(({ manifest }) => depthOf(manifest.noun) === depth);
    failed += (await deleteTogether(due, { ...call, isLast: depth === depths.at(-1) })).length;
  }
  summarise(failed, left.length, 'deleted');
}

/** How many steps a noun is away from a noun that refers to nothing. A load balancer also refers to its members. */
function depthOf(noun: Noun): number {
  const used = noun.fields.flatMap((field) => nouns.filter(({ name }) => name === field.noun && name !== noun.name));
  const members = noun.name === 'loadbalancer' ? nouns.filter(({ name }) => name === 'instance') : [];
  return Math.max(0, ...[...used, ...members].map((each) => depthOf(each) + 1));
}
