import type { Problem } from '../../errors/index.ts';
import { limits } from '../../limits.ts';
import type { World } from '../../world/index.ts';
import type { WriterPort } from './port.ts';

/** Whether the store can be written, found out by writing. Many may ask; it is tried once every few seconds. */
export class WriteProbe {
  readonly #world: World;
  readonly #port: Pick<WriterPort, 'probe'>;
  #verdict: Problem | undefined;
  #latest: { answer: Promise<void>; ended_ms: number } | undefined;

  constructor(world: World, port: Pick<WriterPort, 'probe'>) {
    this.#world = world;
    this.#port = port;
  }

  /** Fails with what a write would fail with. */
  async tell(): Promise<void> {
    if (this.#verdict) throw this.#verdict;
    if (!this.#latest || this.#world.monotonic_ms() - this.#latest.ended_ms >= limits.writeProbe_ms)
      this.#latest = this.#try();
    await this.#latest.answer;
  }

  /** From now on it cannot be used, whatever a write would say. */
  condemn(problem: Problem): void {
    this.#verdict = problem;
  }

  /** One that has not ended is not tried again: a disk that hangs would gather them. */
  #try(): { answer: Promise<void>; ended_ms: number } {
    const attempt = { answer: this.#port.probe(), ended_ms: Infinity };
    const end = () => {
      attempt.ended_ms = this.#world.monotonic_ms();
    };
    attempt.answer.then(end, end);
    return attempt;
  }
}
