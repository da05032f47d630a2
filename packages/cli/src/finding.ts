import { ApiError } from '@unikorn/sdk';

import { closest } from './closest.ts';
import { Failure } from './failure.ts';
import type { Named, Noun } from './nouns/noun.ts';
import { project } from './nouns/project.ts';
import { region } from './nouns/region.ts';
import { nameLookup, type NameLookup } from './output/names.ts';
import { renderTable } from './output/table.ts';
import { cellOf, cellText, idColumn, projectColumn } from './output/view.ts';
import { about, isId, isInPath, list, nameOf, read } from './resources.ts';
import type { Session } from './session.ts';

/** The resource with this id, or else the only one with this name. */
export async function find(session: Session, noun: Noun, nameOrId: string): Promise<Named> {
  const direct =
    noun.verbs.includes('get') && isId(nameOrId) ? await readUnlessHidden(session, noun, nameOrId) : undefined;
  if (direct && !(direct instanceof ApiError)) return direct;
  const objects = await list(session, noun, { hidden: true });
  const candidates = meant(noun, objects, nameOrId);
  const [first, ...others] = candidates;
  if (first && others.length === 0) return first;
  if (first)
    throw new Failure(
      'refused',
      `several ${noun.plural} are called ${nameOrId}; use the id instead`,
      ...(await toldApart(noun, candidates, nameLookup(session))),
    );
  throw (
    direct ??
    unknown(
      noun,
      objects,
      nameOrId,
      (await projectsWith(session, noun, nameOrId)) ?? (await regionsWith(session, noun, nameOrId)),
    )
  );
}

/** A caller who may list resources may not always read a single one, so a refusal does not end the search. */
async function readUnlessHidden(session: Session, noun: Noun, id: string): Promise<Named | ApiError | undefined> {
  try {
    return (await read(session, noun, id)).object;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    if (error instanceof ApiError && error.status === 403) return error;
    throw error;
  }
}

/** The resource with this id, or else all with this name. */
export function meant(noun: Noun, objects: readonly Named[], nameOrId: string): readonly Named[] {
  const byId = objects.find(({ metadata }) => metadata.id === nameOrId);
  return byId ? [byId] : objects.filter((object) => nameOf(noun, object) === nameOrId);
}

/** A table of resources with the same name: their ids, and the columns in which they differ. */
export async function toldApart(noun: Noun, objects: readonly Named[], names: NameLookup): Promise<readonly string[]> {
  const created = { header: 'CREATED', value: ({ metadata }: Named) => metadata.creationTime };
  const columns = [idColumn, ...noun.columns.filter(({ header }) => header !== 'PROJECT'), projectColumn, created];
  const cells = await Promise.all(
    columns.map((column) => Promise.all(objects.map(async (object) => cellText(await cellOf(column, object, names))))),
  );
  const telling = columns
    .map(({ header }, index) => ({ header, texts: cells[index] ?? [] }))
    .filter(({ texts }) => new Set(texts).size > 1);
  const rows = objects.map((_, row) => telling.map(({ texts }) => texts[row] ?? ''));
  return renderTable(
    telling.map(({ header }) => header),
    rows,
  )
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
}

/** Other scopes that have a resource with this name. */
export interface Elsewhere {
  readonly scope: 'project' | 'region';
  readonly names: readonly string[];
}

/** Other projects that have a resource with this name. Users often forget --project. */
async function projectsWith(session: Session, noun: Noun, name: string): Promise<Elsewhere | undefined> {
  if (!noun.scope.includes('project') || (await session.optionalIdOf('project')) === undefined) return undefined;
  const everywhere: Session = {
    ...session,
    optionalIdOf: async (scope) => (scope === 'project' ? undefined : session.optionalIdOf(scope)),
  };
  const homes = new Set(
    (await list(everywhere, noun))
      .filter((object) => nameOf(noun, object) === name)
      .map(({ metadata }) => metadata.projectId),
  );
  return homes.size === 0
    ? undefined
    : {
        scope: 'project',
        names: (await list(session, project))
          .filter(({ metadata }) => homes.has(metadata.id))
          .map(({ metadata }) => metadata.name),
      };
}

/** Other regions that have a resource with this name. Each region has its own flavors and images. */
async function regionsWith(session: Session, noun: Noun, name: string): Promise<Elsewhere | undefined> {
  if (!isInPath(noun.path, 'region')) return undefined;
  const regions = await list(session, region);
  const lists = await Promise.all(regions.map(({ metadata }) => list(about(session, { region: metadata.id }), noun)));
  const names = regions
    .filter((_, index) => lists[index]?.some((object) => nameOf(noun, object) === name))
    .map(({ metadata }) => metadata.name);
  return names.length === 0 ? undefined : { scope: 'region', names };
}

/** The error for a name that does not exist here, with hints where it does. */
export function unknown(noun: Noun, objects: readonly Named[], nameOrId: string, elsewhere?: Elsewhere): Failure {
  if (elsewhere) {
    const { scope, names } = elsewhere;
    const way = scope === 'project' ? `: add --project ${names[0] ?? 'name'}` : ', which is another region';
    return new Failure(
      'notFound',
      `there is no ${noun.name} ${nameOrId} in this ${scope}`,
      `there is one in ${names.join(', ')}${way}`,
    );
  }
  const close = closest(
    nameOrId,
    objects.map((object) => nameOf(noun, object)),
  );
  const hints =
    close.length > 0
      ? [`did you mean ${close.join(' or ')}?`]
      : [
          `list the existing ones: unikorn ${noun.name} list`,
          ...(noun.scope.includes('project') ? ['--all-projects lists those of every project'] : []),
        ];
  return new Failure('notFound', `there is no ${noun.name} ${nameOrId}`, ...hints);
}
