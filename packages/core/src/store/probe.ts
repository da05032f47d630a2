import type { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import type { World } from '../world/index.ts';

/**
 * Tests whether the store can be written, by writing. Concurrent calls share a test, which runs at most once every few
 * seconds.
 */
export class SharedProbe {
  readonly #world: World;
  readonly #write: () => Promise<void>;
  #verdict: Problem | undefined;
  #latest: { answer: Promise<void>; ended_ms: number } | undefined;

  constructor(world: World, write: () => Promise<void>) {
    this.#world = world;
    this.#write = write;
  }

  /** Throws the error that a write would get. */
  async tell(): Promise<void> {
    if (this.#verdict) throw this.#verdict;
    if (!this.#latest || this.#world.monotonic_ms() - this.#latest.ended_ms >= limits.writeProbe_ms)
      this.#latest = this.#try();
    await this.#latest.answer;
  }

  /** Makes every later call fail with this problem. */
  condemn(problem: Problem): void {
    this.#verdict = problem;
  }

  /** A new test does not start before the last one has ended: otherwise tests would pile up on a disk that hangs. */
  #try(): { answer: Promise<void>; ended_ms: number } {
    const attempt = { answer: this.#write(), ended_ms: Infinity };
    const end = () => {
      attempt.ended_ms = this.#world.monotonic_ms();
    };
    attempt.answer.then(end, end);
    return attempt;
  }
}
