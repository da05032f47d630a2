import { toError } from '../../errors/index.ts';
import { waits } from '../../limits.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';

/**
 * What the log says about reads of the API server that are repeated until they work: each cause when it begins, then
 * seldom, and its end. All kinds share it, because an API server that does not answer concerns all of them.
 */
export class Outages {
  readonly #world: World;
  readonly #log: Telemetry['log'] | undefined;
  /** The cause of each read that fails at the moment. */
  readonly #failing = new Map<string, string>();
  /** When the log named each cause. A cause that comes and goes is not named every time. */
  readonly #named_ms = new Map<string, number>();
  /** The causes that the log named, and whose end it has not named. */
  readonly #open = new Set<string>();

  constructor(world: World, log: Telemetry['log'] | undefined) {
    this.#world = world;
    this.#log = log;
  }

  /** A read failed, and will be repeated. The message of a refusal names the missing right, and where to add it. */
  failed(read: string, thrown: unknown): void {
    const err = toError(thrown);
    const cause = err.message;
    if (this.#failing.get(read) !== cause) this.#end(read);
    this.#failing.set(read, cause);
    this.#forgetOld();
    if (this.#named_ms.has(cause)) return;
    this.#named_ms.set(cause, this.#world.monotonic_ms());
    this.#open.add(cause);
    this.#log?.warn({ err }, `${read} failed and will be repeated: ${cause}`);
  }

  /** A read works. It may never have failed. */
  worked(read: string): void {
    const ended = this.#end(read);
    if (ended !== undefined) this.#log?.info(`${read} works again. It failed: ${ended}`);
  }

  /** Returns the cause of a read if this was the last one that failed because of it, and the log named it. */
  #end(read: string): string | undefined {
    const cause = this.#failing.get(read);
    if (cause === undefined) return undefined;
    this.#failing.delete(read);
    const isLast = !this.#failing.values().some((other) => other === cause);
    return isLast && this.#open.delete(cause) ? cause : undefined;
  }

  #forgetOld(): void {
    const before_ms = this.#world.monotonic_ms() - waits.repeatedWarning_ms;
    for (const [cause, named_ms] of this.#named_ms) if (named_ms <= before_ms) this.#named_ms.delete(cause);
  }
}
