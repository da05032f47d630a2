import type { Store } from '../store/index.ts';
import { interpose, isWrite } from './interpose.ts';

const forever = new Promise<never>(() => undefined);

/**
 * One run of a process that can end at any of its effects. After that, its calls have no effect and never return. The
 * code that runs in it needs no hooks, but has to use the store and the effects of this object.
 */
export class Life {
  /** The real store, until this run ends. Every write is an effect. */
  readonly store: Store;
  readonly #death: number | undefined;
  #cuts = 0;
  #diedAt: string | undefined;

  /** `death` counts from 1; each effect has two points, before and after it. */
  constructor(store: Store, death?: number) {
    this.#death = death;
    this.store = interpose(store, (call, happen) => {
      if (isWrite(call)) return this.effect(`${call.verb} ${call.kind.kind}`, happen);
      return this.died ? forever : happen();
    });
  }

  get cuts(): number {
    return this.#cuts;
  }

  get died(): boolean {
    return this.#diedAt !== undefined;
  }

  get diedAt(): string | undefined {
    return this.#diedAt;
  }

  /** Ends this run between two effects. */
  die(): void {
    this.#diedAt ??= 'between effects';
  }

  async effect<T>(what: string, happen: () => Promise<T>): Promise<T> {
    await this.#point(`before ${what}`);
    const result = await happen();
    await this.#point(`after ${what}`);
    return result;
  }

  async #point(where: string): Promise<void> {
    if (!this.died && ++this.#cuts === this.#death) this.#diedAt = where;
    if (this.died) await forever;
  }
}
