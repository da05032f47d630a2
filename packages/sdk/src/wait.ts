import { ApiError, NotSettledError } from './errors.ts';
import type { Change } from './follow.ts';
import type { Metadata } from './types.ts';

/** A resource with a provisioning status. */
export interface Realised {
  readonly metadata: Pick<Metadata, 'id' | 'name' | 'provisioningStatus' | 'provisioningStatusDetail'>;
}

export interface WaitOptions<Read> {
  /** Is called with every state of the object during the wait. */
  readonly onChange?: (object: Read) => void;
}

/**
 * Waits until the followed object has reached the requested state. Throws a `NotSettledError` if it fails or is
 * deleted.
 *
 * @example
 * const ready = await settled(compute.follow('/api/v2/instances/{instanceID}', { params: { path: { instanceID } }, signal: AbortSignal.timeout(60_000) }));
 */
export async function settled<Read extends Realised>(
  changes: AsyncIterable<Change<Read>>,
  { onChange }: WaitOptions<Read> = {},
): Promise<Read> {
  let seen: string | undefined;
  for await (const change of changes) {
    if (change.type === 'deleted')
      throw new NotSettledError('deleted', `${seen ?? change.object.metadata.id} was deleted`);
    if (change.type !== 'added' && change.type !== 'modified') continue;
    const { object } = change;
    onChange?.(object);
    const { name, provisioningStatus, provisioningStatusDetail } = object.metadata;
    seen = name;
    if (provisioningStatus === 'provisioned') return object;
    if (provisioningStatus === 'error')
      throw new NotSettledError(
        'failed',
        `${name} could not be provisioned: ${provisioningStatusDetail?.message ?? 'no reason is given'}`,
      );
  }
  throw new TypeError('the stream ended');
}

/**
 * Waits until the followed object is deleted.
 *
 * @example await gone(compute.follow('/api/v2/instances/{instanceID}', { params: { path: { instanceID } } }));
 */
export async function gone<Read extends Realised>(
  changes: AsyncIterable<Change<Read>>,
  { onChange }: WaitOptions<Read> = {},
): Promise<void> {
  try {
    for await (const change of changes) {
      if (change.type === 'deleted') return;
      if (change.type === 'added' || change.type === 'modified') onChange?.(change.object);
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
