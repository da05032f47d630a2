import { valueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import { scopes, type Named, type Scope } from '../nouns/noun.ts';
import { about, beside, find, list, nameOf } from '../resources.ts';
import type { Session } from '../session.ts';
import type { Manifest } from './manifest.ts';
import type { Mistake } from './mistakes.ts';
import { waves, type Linked } from './order.ts';
import { placingScopes, type Reference } from './references.ts';

/** What is known of a manifest before anything is changed. */
export interface Situation extends Linked {
  /** About the place that the resource is in, or will be. */
  readonly session: Session;
  /** What of that place is not there yet. */
  readonly missing: ReadonlySet<Scope>;
  /** What there is of what it names. */
  readonly objects: ReadonlyMap<Reference, Named>;
  /** The resource itself. */
  readonly existing: Named | undefined;
}

export interface Survey {
  readonly situations: readonly Situation[];
  readonly mistakes: readonly SurveyMistake[];
}

export interface SurveyMistake extends Mistake {
  /** Whether it is only that something is not there. */
  readonly isAbsence: boolean;
}

/** Looks up what is there, of the resources and of what they name. Nothing is changed by it. */
export async function surveyed(session: Session, linked: readonly Linked[]): Promise<Survey> {
  const situations = new Map<Manifest, Situation>();
  const mistakes: SurveyMistake[] = [];
  for (const wave of waves(linked)) {
    // What needs something that cannot be used is not looked at: the mistake is elsewhere.
    const usable = wave.filter(({ links }) => links.every(({ target }) => !target || situations.has(target)));
    const surveys = await Promise.all(usable.map((each) => situationOf(session, each, situations).catch(unusable)));
    for (const survey of surveys) {
      if (survey instanceof Unusable) mistakes.push(survey);
      else situations.set(survey.manifest, survey);
    }
  }
  return { situations: [...situations.values()], mistakes };
}

/** A manifest that cannot be followed. */
class Unusable extends Error implements SurveyMistake {
  readonly at: string;
  readonly isAbsence: boolean;

  constructor(at: string, message: string, { isAbsence }: Pick<SurveyMistake, 'isAbsence'>) {
    super(message);
    this.at = at;
    this.isAbsence = isAbsence;
  }
}

function unusable(error: unknown): Unusable {
  if (error instanceof Unusable) return error;
  throw error;
}

async function situationOf(session: Session, { manifest, links }: Linked, known: ReadonlyMap<Manifest, Situation>): Promise<Situation> {
  let there = session;
  const missing = new Set<Scope>();
  const objects = new Map<Reference, Named>();
  let isPlaceMissing = false;
  for (const { reference, target } of links) {
    const situation = target && known.get(target);
    const object = situation ? situation.existing : await lookUp(there, missing, manifest, reference);
    if (object) {
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
  there = await completed(there, missing, manifest);
  return { manifest, links, session: there, missing, objects, existing: isPlaceMissing ? undefined : await existing(there, manifest, objects) };
}

/** The session about what a reference says the place is; the same one when it says nothing of that. */
export function placedBy(session: Session, { scope, places }: Reference, object: Named): Session {
  if (scope) return about(session, { [scope]: object.metadata.id });
  return places ? beside(session, object) : session;
}

/** A resource is identified by all of its place, so what the file leaves open is as the context says. */
async function completed(session: Session, missing: ReadonlySet<Scope>, { noun, body }: Manifest): Promise<Session> {
  const open = placingScopes(noun).filter((scope) => body.spec[`${scope}Id`] === undefined && !missing.has(scope));
  const ids = await Promise.all(open.map(async (scope) => [scope, await session.idOf(scope)] as const));
  return about(session, Object.fromEntries(ids));
}

async function lookUp(session: Session, missing: ReadonlySet<Scope>, manifest: Manifest, { path, noun, text }: Reference): Promise<Named> {
  const at = manifest.at(path);
  const nowhere = scopes.find((scope) => missing.has(scope) && noun.scope.includes(scope));
  if (nowhere) throw new Unusable(at, `there is no ${noun.name} ${text}: the ${nowhere} is not there yet`, { isAbsence: true });
  try {
    return await find(session, noun, text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Unusable(at, [error.message, ...error.hints].join('; '), { isAbsence: error.ending === 'notFound' });
  }
}

/** Names are not unique everywhere, so of several the one is meant that is where the manifest says. */
async function existing(session: Session, manifest: Manifest, objects: ReadonlyMap<Reference, Named>): Promise<Named | undefined> {
  const { noun, name } = manifest;
  const [first, ...others] = (await list(session, noun)).filter((object) => nameOf(noun, object) === name);
  if (!first || others.length === 0) return first;
  const place = [...objects].find(([{ places }]) => places)?.[1].metadata.id;
  const [here, ...more] = [first, ...others].filter((object) => valueAt(object, 'status.networkId') === place);
  if (here && more.length === 0) return here;
  throw new Unusable(manifest.at(''), `several ${noun.plural} are called ${name}: ${[first, ...others].map(({ metadata }) => metadata.id).join(', ')}; only one of them can be described by a file`, { isAbsence: false });
}
