import { yieldFor, type Yield } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';

import { waits } from '../limits.ts';

/** The outcome for an object while its provider is busy with it. */
export function whileBusy<Patch extends object = never>(
  { reason }: { readonly reason: string },
  status?: Patch,
): Yield<Patch> {
  return yieldFor({ message: reason, after_ms: waits.busyProvider_ms, ...defined({ status }) });
}
