import { Problem } from '../../errors/index.ts';
import type { Kind } from '../../kinds/index.ts';

/**
 * The latest version of each kind that this process has seen. A consistent read never shows an earlier one, unless the
 * data of the API server was replaced by an older copy. Then everything that the process has in memory may be wrong.
 *
 * @example
 * const known = timeline.latest(kind);
 * timeline.confirm(kind, await latestVersion(listing), known);
 */
export class Timeline {
  readonly #latest = new Map<string, number>();
  readonly #lost: (problem: Problem) => void;

  constructor(lost: (problem: Problem) => void) {
    this.#lost = lost;
  }

  latest({ id }: Kind): number {
    return this.#latest.get(id) ?? 0;
  }

  /** An answer or an event had this version. */
  saw(kind: Kind, version: string): void {
    this.#latest.set(kind.id, Math.max(this.latest(kind), Number(version)));
  }

  /** A consistent read had this version. `known` is the latest version that was known before it was sent. */
  confirm(kind: Kind, version: string, known: number): void {
    if (Number(version) >= known) {
      this.saw(kind, version);
      return;
    }
    const problem = new Problem(
      'storage_unavailable',
      `the Kubernetes API server has an older state than before: it is at version ${version}, and was at ${known}. Its etcd was restored from a backup, so restart all processes of the installation`,
    );
    this.#lost(problem);
    throw problem;
  }
}
