import type { Store } from '../store/index.ts';
import { interpose } from '../testing/index.ts';

/** A sequence of calls to a store. */
export type Actor = (store: Store) => Promise<unknown>;

interface Track {
  readonly ended: Promise<PromiseSettledResult<unknown>>;
  /** Resolves when the actor wants to make another call, or has ended. */
  readonly nextStop: () => Promise<'call' | 'end'>;
  readonly proceed: () => void;
}

/** Lets an actor make one call at a time. */
function track(actor: Actor, store: Store): Track {
  let stopped = Promise.withResolvers<'call' | 'end'>();
  let gate = Promise.withResolvers<undefined>();
  const gated = interpose(store, async (_call, happen) => {
    stopped.resolve('call');
    await gate.promise;
    return happen();
  });
  const ended = actor(gated).then(
    (value) => ({ status: 'fulfilled', value }) as const,
    (reason: unknown) => ({ status: 'rejected', reason }) as const,
  );
  void ended.then(() => {
    stopped.resolve('end');
  });
  return {
    ended,
    nextStop: () => stopped.promise,
    proceed: () => {
      const open = gate;
      stopped = Promise.withResolvers();
      gate = Promise.withResolvers();
      void ended.then(() => {
        stopped.resolve('end');
      });
      open.resolve(undefined);
    },
  };
}

/**
 * Runs two actors in every possible order of their calls, each time on a new stage, and passes the result to `judge`.
 * Returns the number of orders.
 */
export async function inEveryOrder<Stage extends { readonly store: Store }>(
  open: () => Promise<Stage>,
  actors: readonly [(stage: Stage) => Actor, (stage: Stage) => Actor],
  judge: (stage: Stage, outcomes: readonly PromiseSettledResult<unknown>[], order: string) => Promise<void>,
): Promise<number> {
  let orders = 0;
  const prefixes: number[][] = [[]];
  for (let prefix = prefixes.pop(); prefix; prefix = prefixes.pop()) {
    const stage = await open();
    const tracks = actors.map((actor) => track(actor(stage), stage.store));
    const taken: number[] = [];
    for (;;) {
      const stops = await Promise.all(tracks.map((one) => one.nextStop()));
      const ready = stops.flatMap((stop, index) => (stop === 'call' ? [index] : []));
      if (ready.length === 0) break;
      const chosen = prefix[taken.length] ?? ready[0] ?? 0;
      if (taken.length >= prefix.length) for (const other of ready.slice(1)) prefixes.push([...taken, other]);
      taken.push(chosen);
      tracks[chosen]?.proceed();
    }
    orders++;
    await judge(stage, await Promise.all(tracks.map(({ ended }) => ended)), taken.join(''));
  }
  return orders;
}
