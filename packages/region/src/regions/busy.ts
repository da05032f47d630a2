import { yieldFor, type Yield } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';

/** Nothing wakes us when a cloud is done, so it is asked again soon. */
const busy_ms = 1_000;

/** The outcome for an object while its provider is busy with it. */
export function whileBusy<Patch extends object = never>(
  { reason }: { readonly reason: string },
  status?: Patch,
): Yield<Patch> {
  return yieldFor({ message: reason, after_ms: busy_ms, ...defined({ status }) });
}
