import { valueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import { find, toldApart } from '../finding.ts';
import { scopes, type Named, type Scope } from '../nouns/noun.ts';
import { nameLookup } from '../output/names.ts';
import { about, beside, list, nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import type { Manifest } from './manifest.ts';
import type { Mistake } from './mistakes.ts';
import { waves, type Linked } from './order.ts';
import { placingScopes, type Reference } from './references.ts';

/** The data about a manifest before anything is changed. */
export interface Situation extends Linked {
  /** The session for the scope of the resource. */
  readonly session: Session;
  /** The scopes that do not exist yet. */
  readonly missing: ReadonlySet<Scope>;
  /** The existing resources that it refers to. */
  readonly objects: ReadonlyMap<Reference, Named>;
  /** The resource itself. */
  readonly existing: Named | undefined;
}

export interface Survey {
  readonly situations: readonly Situation[];
  readonly mistakes: readonly SurveyMistake[];
}

export interface SurveyMistake extends Mistake {
  /** The name of the missing resource, if that is the only mistake. */
  readonly absent?: string;
}

/** Looks up the resources of the files and their references. Changes nothing. */
export async function surveyed(session: Session, linked: readonly Linked[]): Promise<Survey> {
  const situations = new Map<Manifest, Situation>();
  const mistakes: SurveyMistake[] = [];
  for (const wave of waves(linked)) {
    // A manifest with an unusable reference is skipped: the mistake is in the other manifest.
    const usable = wave.filter(({ links }) => links.every(({ target }) => !target || situations.has(target)));
    const surveys = await Promise.all(usable.map((each) => situationOf(session, each, situations)));
    for (const survey of surveys) {
      if ('manifest' in survey) situations.set(survey.manifest, survey);
      else mistakes.push(...survey);
    }
  }
  return { situations: [...situations.values()], mistakes };
}

async function situationOf(
  session: Session,
  { manifest, links }: Linked,
  known: ReadonlyMap<Manifest, Situation>,
): Promise<Situation | readonly SurveyMistake[]> {
  let there = session;
  const missing = new Set<Scope>();
  const objects = new Map<Reference, Named>();
  const mistakes: SurveyMistake[] = [];
  let isPlaceMissing = false;
  for (const { reference, target } of links) {
    const situation = target && known.get(target);
    const object = situation ? situation.existing : await lookUp(there, missing, manifest, reference);
    if (object && 'at' in object) {
      mistakes.push(object);
      // The scope for the other lookups is not known.
      if (reference.scope || reference.places) return mistakes;
    } else if (object) {
      objects.set(reference, object);
      there = placedBy(there, reference, object);
    } else if (reference.scope) {
      missing.add(reference.scope);
      isPlaceMissing = true;
    } else if (reference.places && situation) {
      there = situation.session;
      for (const scope of situation.missing) missing.add(scope);
      isPlaceMissing = true;
    }
  }
  if (mistakes.length > 0) return mistakes;
  there = await completed(there, missing, manifest);
  const itself = isPlaceMissing
    ? undefined
    : await existing(there, manifest, objects).catch(mistakenAt(manifest.at('')));
  return itself && 'at' in itself ? [itself] : { manifest, links, session: there, missing, objects, existing: itself };
}

/** The session for the scope that a reference determines; the same session if it determines none. */
export function placedBy(session: Session, { scope, places }: Reference, object: Named): Session {
  if (scope) return about(session, { [scope]: object.metadata.id });
  return places ? beside(session, object) : session;
}

/** A resource is identified by all of its scopes, so missing ones are taken from the context. */
async function completed(session: Session, missing: ReadonlySet<Scope>, { noun, body }: Manifest): Promise<Session> {
  const open = placingScopes(noun).filter((scope) => body.spec[`${scope}Id`] === undefined && !missing.has(scope));
  const ids = await Promise.all(open.map(async (scope) => [scope, await session.idOf(scope)] as const));
  return about(session, Object.fromEntries(ids));
}

async function lookUp(
  session: Session,
  missing: ReadonlySet<Scope>,
  manifest: Manifest,
  { path, noun, text }: Reference,
): Promise<Named | SurveyMistake> {
  const at = manifest.at(path);
  const nowhere = scopes.find((scope) => missing.has(scope) && noun.scope.includes(scope));
  if (nowhere)
    return { at, message: `there is no ${noun.name} ${text}: the ${nowhere} does not exist yet`, absent: text };
  return find(session, noun, text).catch(mistakenAt(at, text));
}

function mistakenAt(at: string, text = ''): (error: unknown) => SurveyMistake {
  return (error) => {
    if (!(error instanceof Failure)) throw error;
    const isAbsence = error.ending === 'notFound';
    return {
      at,
      message: [error.message, ...error.hints].join(isAbsence ? '; ' : '\n'),
      ...(isAbsence ? { absent: text } : {}),
    };
  };
}

/** Names are not unique everywhere. Of several resources, the one in the scope of the manifest is used. */
export async function existing(
  session: Session,
  { noun, name }: Manifest,
  objects: ReadonlyMap<Reference, Named>,
): Promise<Named | undefined> {
  const [first, ...others] = (await list(session, noun)).filter((object) => nameOf(noun, object) === name);
  if (!first || others.length === 0) return first;
  const place = [...objects].find(([{ places }]) => places)?.[1].metadata.id;
  const [here, ...more] = [first, ...others].filter((object) => valueAt(object, 'status.networkId') === place);
  if (here && more.length === 0) return here;
  const apart = await toldApart(noun, [first, ...others], nameLookup(session));
  throw new Failure(
    'refused',
    `several ${noun.plural} are called ${name}, but a file can define only one`,
    ...apart,
    `keep one and delete the others: unikorn ${noun.name} delete ID`,
  );
}
