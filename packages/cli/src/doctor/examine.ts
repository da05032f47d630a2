import { existsSync } from 'node:fs';

import { addressOf } from '../contexts/contexts.ts';
import { contextsFile, readContexts } from '../contexts/file.ts';
import { stateDirectories } from '../contexts/local.ts';
import { sourceText, type Place } from '../contexts/place.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { placeOf } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { bad, good, type Check } from './check.ts';
import { judgeNode } from './judgements.ts';
import { examinePlatform } from './platform.ts';
import { checkPrivate } from './private-file.ts';

/**
 * Checks the state directory of a server on this machine, if there is one, or another store that the configuration
 * names. The caller provides it, because the CLI does not know the format.
 */
export type InspectState = (directory: string | undefined) => Promise<readonly Check[]>;

/**
 * All checks, from the local machine to the control plane. A check is skipped if an earlier one failed that it depends
 * on.
 */
export async function* examine(
  terminal: Terminal,
  options: GlobalOptions,
  inspectState: InspectState | undefined,
): AsyncGenerator<Check> {
  yield judgeNode(process.version);
  const contexts = await checkContexts(terminal);
  yield contexts;
  const place = contexts.verdict === 'bad' ? undefined : await findPlace(terminal, options);
  if (place) yield place.check;
  if (place?.place) yield* examinePlatform(place.place, terminal);
  const directory = stateDirectories(terminal).find((each) => existsSync(each));
  if (inspectState) yield* await inspectState(directory);
}

async function checkContexts(terminal: Terminal): Promise<Check> {
  const file = contextsFile(terminal);
  if (!existsSync(file)) return good('contexts', `none yet; unikorn login creates one in ${file}`);
  try {
    await readContexts(terminal);
  } catch (error) {
    return bad(
      'contexts',
      error instanceof Error ? error.message : String(error),
      'correct the file, or remove it and log in again',
    );
  }
  return checkPrivate('contexts', file);
}

async function findPlace(
  terminal: Terminal,
  options: GlobalOptions,
): Promise<{ readonly check: Check; readonly place?: Place }> {
  try {
    const place = await placeOf(terminal, options);
    return { place, check: good('control plane', `${addressOf(place.endpoints)}, ${sourceText(place.source)}`) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { check: bad('control plane', error.message, error.hints.join('; ')) };
  }
}
