import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Consent, Permission } from '../instance/consent.ts';
import type { Named } from '../nouns/noun.ts';
import type { Printing } from '../output/print.ts';
import { ownersOf } from '../resources.ts';
import { changedOnce } from '../verbs/update.ts';
import type { Call } from '../verbs/verb.ts';
import type { WaitOptions } from '../wait/options.ts';
import { compared } from './compare.ts';
import { createdOnce, type Created } from './create.ts';
import { bodyOf, creationOf } from './document.ts';
import { guardedUpdate, isGuarded } from './guard.ts';
import type { Body, Manifest } from './manifest.ts';
import { labelOf } from './order.ts';
import { isRefusal, reportRefusal } from './outcome.ts';
import type { Step } from './plan.ts';
import type { Reference } from './references.ts';
import type { FileOptions } from './sources.ts';
import { existing, placedBy } from './survey.ts';

export type ApplyOptions = GlobalOptions &
  FileOptions &
  WaitOptions & {
    readonly yes?: boolean;
    readonly allow?: Permission;
    readonly dryRun?: boolean;
    /** The name of the set. */
    readonly prune?: string;
  };

export type ApplyCall = Pick<Call<ApplyOptions>, 'terminal' | 'options'>;

/** A run of apply, and its results. */
export interface Application extends ApplyCall {
  readonly printing: Printing;
  readonly consentFor: (step: Step) => Consent;
  /** The current state of the resources that are done. */
  readonly done: Map<Manifest, Named>;
}

/** Does one step, unless a resource that it needs does not exist. */
export async function carryOut(step: Step, application: Application): Promise<void> {
  const { terminal, options, done } = application;
  const { manifest, links } = step;
  if (terminal.signal.aborted)
    throw new Failure('interrupted', 'stopped before everything was done', 'run the same command again to continue');
  const absent = links.find(({ target }) => target && !done.has(target))?.target;
  if (absent) {
    terminal.stderr.write(`${labelOf(manifest)} was skipped, because it needs ${labelOf(absent)}\n`);
    return;
  }
  try {
    const { object, verb } = await carriedOut(step, application);
    done.set(manifest, object);
    if (!isSpoken(options)) return;
    terminal.stdout.write(`${labelOf(manifest)} ${verb}\n`);
    if (verb === 'created' && manifest.noun.secretPath !== undefined)
      terminal.stderr.write(
        `the secret of ${labelOf(manifest)} is not shown; to get one, create a new secret: unikorn ${manifest.noun.name} rotate ${manifest.name}\n`,
      );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    reportRefusal(manifest, error, terminal);
  }
}

async function carriedOut(
  step: Step,
  application: Application,
): Promise<{ readonly object: Named; readonly verb: Created['verb'] | 'configured' }> {
  const {
    manifest: { noun },
    vocabulary,
  } = step;
  if (step.action === 'none') return { object: step.existing, verb: 'unchanged' };
  const objects = objectsFor(step, application);
  const body = bodyOf(step, (reference) => objects.get(reference));
  if (step.action === 'create') {
    const session = [...objects].reduce(
      (there, [reference, object]) => placedBy(there, reference, object),
      step.session,
    );
    const there = await existing(session, step.manifest, objects);
    if (there) return { object: asDescribed(step, there, body), verb: 'unchanged' };
    return createdOnce(session, noun, creationOf(noun, body, await ownersOf(session, noun)), application.terminal);
  }
  if (isGuarded(step)) {
    const changed = await guardedUpdate(step, step.existing, body, application.consentFor(step), application.printing);
    return changed ? { object: changed, verb: 'configured' } : { object: step.existing, verb: 'unchanged' };
  }
  return {
    object: await changedOnce(
      step.session,
      noun,
      step.existing.metadata.id,
      (current) => compared(noun, vocabulary, current, body).next,
    ),
    verb: 'configured',
  };
}

/** Another user created the resource after the plan was made. A change of it is not confirmed, so the step fails. */
function asDescribed({ manifest, vocabulary }: Step, there: Named, body: Body): Named {
  const { isDifferent, fixed } = compared(manifest.noun, vocabulary, there, body);
  if (isDifferent || fixed.length > 0 || there.metadata.deletionTime !== undefined)
    throw new Failure('refused', 'another user has created it in the meantime, with other settings');
  return there;
}

/** The resources that the step refers to; all exist by now. */
function objectsFor({ links, objects }: Step, { done }: Application): ReadonlyMap<Reference, Named> {
  const named = links.flatMap(({ reference, target }) => {
    const object = target ? done.get(target) : objects.get(reference);
    return object ? [[reference, object] as const] : [];
  });
  return new Map(named);
}

/** Whether messages show each step, instead of documents at the end. */
function isSpoken({ output }: ApplyOptions): boolean {
  return output === undefined || output === 'table' || output === 'wide';
}
