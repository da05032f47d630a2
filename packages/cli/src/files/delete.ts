import { demandConsent } from '../ask.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Named } from '../nouns/noun.ts';
import { remove } from '../resources.ts';
import type { Terminal } from '../terminal.ts';
import { ignoreAbsence } from '../verbs/delete.ts';
import { contentsOf } from '../verbs/contents.ts';
import { opened, type Call } from '../verbs/verb.ts';
import type { WaitOptions } from '../wait/options.ts';
import { vanishing } from '../wait/settle.ts';
import { waiting } from '../wait/waiting.ts';
import type { YesOption } from '../yes-option.ts';
import type { Manifest } from './manifest.ts';
import { demandNone } from './mistakes.ts';
import { labelOf, waves, type Linked } from './order.ts';
import { isRefusal, reportRefusal, summarise } from './outcome.ts';
import { manifestsIn } from './plan.ts';
import { commandFor, readSources, type FileOptions } from './sources.ts';
import { surveyed, type Situation } from './survey.ts';

export type DeleteFilesOptions = GlobalOptions & FileOptions & WaitOptions & YesOption & { readonly dryRun?: boolean };

export type DeleteCall = Pick<Call<DeleteFilesOptions>, 'terminal' | 'options'>;

/** An existing resource that will be deleted. */
export type Doomed = Situation & { readonly existing: Named };

/** Deletes the resources of the files, each after the resources that use it. */
export async function deleteFilesVerb(call: DeleteCall): Promise<void> {
  const { terminal, options } = call;
  const linked = manifestsIn(await readSources(options, terminal));
  const { session } = await opened(call);
  const { situations, mistakes } = await surveyed(session, linked.map(placingOnly));
  demandNone(mistakes.filter(({ absent }) => absent === undefined));
  const doomed = linked.flatMap(({ manifest }) =>
    situations.flatMap(({ existing, ...situation }) =>
      situation.manifest === manifest && existing ? [{ ...situation, existing }] : [],
    ),
  );
  for (const { manifest } of linked)
    if (!doomed.some((each) => each.manifest === manifest)) terminal.stdout.write(`${labelOf(manifest)} absent\n`);
  if (doomed.length === 0) return;
  if (options.dryRun) {
    for (const { manifest } of doomed.toReversed()) terminal.stdout.write(`${labelOf(manifest)} would be deleted\n`);
    return;
  }
  if (!options.yes)
    await demandConsent(terminal, options, {
      verb: 'delete',
      what: doomed
        .map(({ manifest }) => labelOf(manifest))
        .toReversed()
        .join(', '),
      losses: await lossesOf(doomed),
    });
  const failed = await deleteInWaves(doomed, linked, call);
  summarise(failed.size, doomed.length, 'deleted');
}

/** To find a resource, only the references that determine its scope are needed. */
function placingOnly({ manifest, links }: Linked): Linked {
  return { manifest, links: links.filter(({ reference: { scope, places } }) => scope !== undefined || places) };
}

/** All data of the resources, and the resources in them that are not deleted by name. */
export async function lossesOf(doomed: readonly Doomed[]): Promise<readonly string[]> {
  const named = new Set(doomed.map(({ existing }) => existing.metadata.id));
  const contents = await Promise.all(
    doomed.map(({ session, manifest, existing }) => contentsOf(session, manifest.noun, [existing], named)),
  );
  const others = new Set(contents.flat());
  return ['all their data', ...(others.size === 0 ? [] : [[...others].join('; ')])];
}

/** Resources that no other resource uses come first. If a deletion fails, the resources that it uses are kept. */
async function deleteInWaves(
  doomed: readonly Doomed[],
  linked: readonly Linked[],
  call: DeleteCall,
): Promise<ReadonlySet<Manifest>> {
  const kept = new Set<Manifest>();
  const due = waves(linked)
    .map((wave) => doomed.filter(({ manifest }) => wave.some((each) => each.manifest === manifest)))
    .filter((wave) => wave.length > 0);
  for (const wave of due.toReversed()) {
    const failures = await deleteTogether(
      wave.filter(({ manifest }) => !isHeld(manifest, linked, kept, call.terminal)),
      { ...call, isLast: wave === due[0] },
    );
    for (const manifest of failures) kept.add(manifest);
  }
  return kept;
}

function isHeld(manifest: Manifest, linked: readonly Linked[], kept: Set<Manifest>, { stderr }: Terminal): boolean {
  const holder = linked.find((each) => kept.has(each.manifest) && each.links.some(({ target }) => target === manifest));
  if (!holder) return false;
  stderr.write(`${labelOf(manifest)} is kept, because ${labelOf(holder.manifest)} uses it\n`);
  kept.add(manifest);
  return true;
}

export async function deleteTogether(
  due: readonly Doomed[],
  { terminal, options, isLast }: DeleteCall & { readonly isLast: boolean },
): Promise<readonly Manifest[]> {
  const failures: Manifest[] = [];
  const going: Doomed[] = [];
  for (const each of due) {
    const { session, manifest, existing } = each;
    try {
      await remove(session, manifest.noun, existing.metadata.id).catch(ignoreAbsence);
      going.push(each);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      reportRefusal(manifest, error, terminal);
      failures.push(manifest);
    }
  }
  const waits = options.wait || !isLast;
  if (waits && going.length > 0) await untilGone(going, terminal, options);
  for (const { manifest } of going)
    terminal.stdout.write(`${labelOf(manifest)} ${waits ? 'deleted' : 'is being deleted'}\n`);
  return failures;
}

async function untilGone(going: readonly Doomed[], terminal: Terminal, options: DeleteFilesOptions): Promise<void> {
  await waiting(
    terminal,
    { timeout_ms: options.timeout, onward: commandFor('delete', options) },
    async (signal, progress) => {
      await Promise.all(
        going.map(({ manifest, existing, session }) =>
          vanishing(manifest.noun, existing, { session, terminal, signal, progress }),
        ),
      );
    },
  );
}
