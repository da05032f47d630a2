import { defined } from '@unikorn/core/defined';

import { isProviderFailure, type Check } from '../../provider/index.ts';
import { CloudError } from './client/index.ts';

export interface Trial<T> {
  readonly name: string;
  readonly remedy: string;
  /** The features that do not work without it. Without this text, nothing works. */
  readonly only?: string;
  readonly attempt: () => Promise<T>;
}

/** Something that the cloud does not have, although it refused no call. */
export class Lack extends Error {
  override readonly name = 'Lack';
}

/** Collects the results of trials. A trial that fails does not end the others. */
export class Checkup {
  readonly #results: Check[] = [];

  get results(): readonly Check[] {
    return this.#results;
  }

  /** The value of the attempt; undefined where it failed. */
  async try<T>({ name, remedy, only, attempt }: Trial<T>): Promise<T | undefined> {
    try {
      const value = await attempt();
      this.#results.push({ name, state: 'ok' });
      return value;
    } catch (error) {
      const state = isRefusal(error) ? (only === undefined ? 'missing' : 'optional') : 'unknown';
      const message = [wordsOf(error), ...(only === undefined ? [] : [`without it: ${only}`])].join('; ');
      this.#results.push({ name, state, message, ...defined({ remedy: state === 'unknown' ? undefined : remedy }) });
      return undefined;
    }
  }

  /** Notes what could not be tried. */
  skip(name: string, because: string): void {
    this.#results.push({ name, state: 'unknown', message: `not tried, because this is missing: ${because}` });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Lack || isProviderFailure(error, 'permission', 'not_found', 'invalid');
}

/** Operators read the words of the cloud. */
function wordsOf(error: unknown): string {
  const cause = isProviderFailure(error) ? error.cause : undefined;
  if (cause instanceof CloudError) return cause.message;
  return error instanceof Error ? error.message : 'it failed';
}
