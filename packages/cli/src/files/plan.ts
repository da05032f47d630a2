import { Failure } from '../failure.ts';
import type { Named } from '../nouns/noun.ts';
import type { NameLookup } from '../output/names.ts';
import type { Printing } from '../output/print.ts';
import { refusalOf } from '../resources.ts';
import type { Session } from '../session.ts';
import { opened, type Call } from '../verbs/verb.ts';
import { compared, type Comparison } from './compare.ts';
import { bodyOf, mistakesIn } from './document.ts';
import { parseManifests, type Manifest, type Parsed } from './manifest.ts';
import { demandNone, type Mistake } from './mistakes.ts';
import { labelOf, ordered, type Linked } from './order.ts';
import { referencesOf } from './references.ts';
import type { Source } from './sources.ts';
import { surveyed, type Situation } from './survey.ts';
import { vocabulariesOf, type Vocabulary } from './vocabulary.ts';

/** The action for one manifest. */
export type Step = Situation & { readonly vocabulary: Vocabulary; readonly set: string | undefined } & (
    | { readonly action: 'create' }
    | { readonly action: 'update' | 'none'; readonly existing: Named; readonly comparison: Comparison }
  );

/** The manifests of the files, each after the ones that it refers to. */
export function manifestsIn(sources: readonly Source[]): readonly Linked[] {
  const { linked, mistakes } = describedBy(sources);
  demandNone(mistakes);
  return linked;
}

/** The content of files, and the mistakes that are found without calling a service. */
interface Described extends Pick<Parsed, 'flawed'> {
  readonly linked: readonly Linked[];
  readonly mistakes: readonly Mistake[];
}

function describedBy(sources: readonly Source[]): Described {
  const { manifests, flawed } = parseManifests(sources);
  if (manifests.length + flawed.length === 0) throw new Failure('usage', 'the files contain no resource');
  const { linked, mistakes } = ordered(manifests);
  return { linked, flawed, mistakes: [...flawed.flatMap((each) => each.mistakes), ...mistakes] };
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly session: Session;
  readonly printing: Printing;
}

/**
 * The steps that make the resources match the files. All obstacles are reported together, before anything is changed.
 */
export async function plannedSteps(
  call: Pick<Call, 'terminal' | 'options'>,
  sources: readonly Source[],
  set?: string,
): Promise<Plan> {
  const described = describedBy(sources);
  const { session, printing } = await opened(call).catch(blaming(described));
  const vocabularyOf = await vocabularies(session, described).catch(blaming(described));
  const { situations, mistakes } = await surveyed(session, described.linked).catch(blaming(described));
  demandNone([
    ...described.mistakes,
    ...misspellings(described, vocabularyOf),
    ...mistakes.filter(({ absent }) => !isFlawed(absent, described)),
  ]);
  const steps = situations.map((situation) => stepOf(situation, vocabularyOf(situation.manifest), set));
  demandNone((await Promise.all(steps.map((step) => obstacles(step, printing.names)))).flat(), 'refused');
  return { steps, session, printing };
}

/** If the services cannot be reached, only the mistakes that are already known are reported. */
function blaming({ mistakes }: Described): (error: unknown) => never {
  return (error) => {
    demandNone(mistakes);
    throw error;
  };
}

function misspellings(
  { linked, flawed }: Described,
  vocabularyOf: (manifest: Manifest) => Vocabulary,
): readonly Mistake[] {
  const drafts = flawed.flatMap(({ draft }) => draft ?? []);
  return [...linked.map(({ manifest }) => manifest), ...drafts].flatMap((manifest) =>
    mistakesIn(manifest, vocabularyOf(manifest)),
  );
}

/** Whether a missing resource may be described in the files by a manifest that has another mistake. */
function isFlawed(absent: string | undefined, { flawed }: Described): boolean {
  return absent !== undefined && flawed.some(({ names }) => names === undefined || names.includes(absent));
}

async function vocabularies(
  session: Session,
  { linked, flawed }: Described,
): Promise<(manifest: Manifest) => Vocabulary> {
  const manifests = [...linked.map(({ manifest }) => manifest), ...flawed.flatMap(({ draft }) => draft ?? [])];
  const services = [...new Set(manifests.map(({ noun }) => noun.service))];
  const known = new Map(
    await Promise.all(
      services.map(
        async (service) =>
          [
            service,
            vocabulariesOf((await session.unikorn[service].untyped.send('GET', '/openapi.json')).data),
          ] as const,
      ),
    ),
  );
  return ({ noun }) => {
    const found = known.get(noun.service);
    if (!found) throw new TypeError(`the schema of ${noun.service} was not loaded`);
    return found(noun);
  };
}

function stepOf(situation: Situation, vocabulary: Vocabulary, set: string | undefined): Step {
  const { manifest, existing, objects } = situation;
  if (!existing) return { ...situation, vocabulary, set, action: 'create' };
  const comparison = compared(
    manifest.noun,
    vocabulary,
    existing,
    bodyOf({ ...situation, set }, (reference) => objects.get(reference)),
  );
  return { ...situation, existing, vocabulary, set, comparison, action: comparison.isDifferent ? 'update' : 'none' };
}

/**
 * Asks the services whether they would accept the changes, and refuses all steps if one of them would be refused. A
 * difference can also be shown to a user who may not change anything, so only a command that changes asks this.
 */
export async function demandAllowed(steps: readonly Step[]): Promise<void> {
  const refusals = await Promise.all(
    steps.map(async (step): Promise<readonly Mistake[]> => {
      if (step.action !== 'update') return [];
      const { manifest, session, existing } = step;
      const refusal = await refusalOf(session, manifest.noun, existing.metadata.id, 'update');
      if (!refusal) return [];
      return [{ at: manifest.at(''), message: `${labelOf(manifest)} cannot be changed now: ${refusal.reason}` }];
    }),
  );
  demandNone(refusals.flat(), 'refused');
}

async function obstacles(step: Step, names: NameLookup): Promise<readonly Mistake[]> {
  const { manifest } = step;
  if (step.action === 'create') return [];
  if (step.existing.metadata.deletionTime !== undefined)
    return [{ at: manifest.at(''), message: `${labelOf(manifest)} is being deleted; apply again after it is deleted` }];
  return Promise.all(
    step.comparison.fixed.map(async ({ path, is }) => {
      const noun = referencesOf(manifest).find((reference) => reference.path === path)?.noun.name;
      const text = noun !== undefined && typeof is === 'string' ? await names(noun, is, step.existing) : textOf(is);
      return {
        at: manifest.at(path),
        message: `${path} of ${labelOf(manifest)} cannot be changed; its value is ${text}. Delete the resource and apply again, or give the new one another name`,
      };
    }),
  );
}

function textOf(value: unknown): string {
  if (value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
