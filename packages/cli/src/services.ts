import { Failure } from './failure.ts';

/** The answers of several services. Those that did not answer are named with the reason. */
export interface Answers<T> {
  readonly answers: readonly T[];
  readonly silent: readonly { readonly service: string; readonly reason: string }[];
}

/** Waits for every service, so that one that does not answer does not hide the others. Fails if none answers. */
export async function answersOf<T>(asked: Readonly<Record<string, Promise<T>>>): Promise<Answers<T>> {
  const services = Object.keys(asked);
  const settled = await Promise.allSettled(Object.values(asked));
  const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [first] = settled;
  if (answers.length === 0 && first?.status === 'rejected') throw first.reason;
  return {
    answers,
    silent: settled.flatMap((each, index) =>
      each.status === 'rejected' ? [{ service: services[index] ?? '', reason: messageOf(each.reason) }] : [],
    ),
  };
}

/** Tells that a result is not complete. It is called after the result is printed. */
export function demandComplete({ silent }: Pick<Answers<unknown>, 'silent'>, what: string): void {
  if (silent.length > 0)
    throw new Failure(
      'partial',
      `the ${what} of ${silent.length === 1 ? 'a service' : `${silent.length} services`} are missing`,
      ...silent.map(({ service, reason }) => `${service}: ${reason}`),
    );
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
