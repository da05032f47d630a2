import { Failure } from '../failure.ts';
import type { Named } from '../nouns/noun.ts';
import { nameLookup, type NameLookup } from '../output/names.ts';
import type { Session } from '../session.ts';
import { compared, type Comparison } from './compare.ts';
import { bodyOf, mistakesIn } from './document.ts';
import { parseManifests } from './manifest.ts';
import { demandNone, type Mistake } from './mistakes.ts';
import { labelOf, ordered, type Linked } from './order.ts';
import { referencesOf } from './references.ts';
import type { Source } from './sources.ts';
import { surveyed, type Situation } from './survey.ts';
import { vocabulariesOf, type Vocabulary } from './vocabulary.ts';

/** What is to be done about one manifest. */
export type Step = Situation & { readonly vocabulary: Vocabulary } & (
    | { readonly action: 'create' }
    | { readonly action: 'update' | 'none'; readonly existing: Named; readonly comparison: Comparison }
  );

/** What the files describe, each after all that it names. */
export function manifestsIn(sources: readonly Source[]): readonly Linked[] {
  const { manifests, mistakes } = parseManifests(sources);
  const { linked, mistakes: disorder } = ordered(manifests);
  demandNone([...mistakes, ...disorder]);
  if (linked.length === 0) throw new Failure('usage', 'the files describe no resource');
  return linked;
}

/** What has to be done so that everything is as the files say. Whatever speaks against it is said now, before anything is changed. */
export async function plannedSteps(session: Session, linked: readonly Linked[]): Promise<readonly Step[]> {
  const vocabularyOf = await vocabularies(session, linked);
  const { situations, mistakes } = await surveyed(session, linked);
  demandNone([...linked.flatMap(({ manifest }) => mistakesIn(manifest, vocabularyOf(manifest))), ...mistakes]);
  const steps = situations.map((situation) => stepOf(situation, vocabularyOf(situation.manifest)));
  const names = nameLookup(session);
  demandNone((await Promise.all(steps.map((step) => obstacles(step, names)))).flat(), 'refused');
  return steps;
}

async function vocabularies(session: Session, linked: readonly Linked[]): Promise<(manifest: Linked['manifest']) => Vocabulary> {
  const services = [...new Set(linked.map(({ manifest }) => manifest.noun.service))];
  const known = new Map(await Promise.all(services.map(async (service) => [service, vocabulariesOf((await session.unikorn[service].untyped.send('GET', '/openapi.json')).data)] as const)));
  return ({ noun }) => {
    const found = known.get(noun.service);
    if (!found) throw new TypeError(`nobody asked ${noun.service} what it understands`);
    return found(noun);
  };
}

function stepOf(situation: Situation, vocabulary: Vocabulary): Step {
  const { manifest, existing, objects } = situation;
  if (!existing) return { ...situation, vocabulary, action: 'create' };
  const comparison = compared(manifest.noun, vocabulary, existing, bodyOf(situation, (reference) => objects.get(reference)));
  return { ...situation, existing, vocabulary, comparison, action: comparison.isDifferent ? 'update' : 'none' };
}

async function obstacles(step: Step, names: NameLookup): Promise<readonly Mistake[]> {
  const { manifest } = step;
  if (step.action === 'create') return [];
  if (step.existing.metadata.provisioningStatus === 'deprovisioning') return [{ at: manifest.at(''), message: `${labelOf(manifest)} is being deleted; apply again when it is gone` }];
  return Promise.all(step.comparison.fixed.map(async ({ path, is }) => {
    const noun = referencesOf(manifest).find((reference) => reference.path === path)?.noun.name;
    const text = noun !== undefined && typeof is === 'string' ? await names(noun, is, step.existing) : textOf(is);
    return { at: manifest.at(path), message: `${path} of ${labelOf(manifest)} cannot be changed: it is ${text}; delete it and apply again, or give the new one another name` };
  }));
}

function textOf(value: unknown): string {
  if (value === '') return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
