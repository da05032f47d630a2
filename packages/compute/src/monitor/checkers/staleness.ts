import { isDeepStrictEqual } from 'node:util';

import { healthStatus } from '@unikorn/core/resource';

import { observedFields } from '../../fields/index.ts';
import { ComputeInstance } from '../../kinds/index.ts';
import { linkedInstance } from '../../link/index.ts';
import type { SeenServer } from '../../watches.ts';
import type { Finding } from '../finding.ts';

/**
 * The values of the server that an instance does not show correctly. This is allowed while the server is being
 * replaced, or while the instance is paused.
 */
export function checkProjection(instance: ComputeInstance, server: SeenServer | undefined): readonly Finding[] {
  const { metadata, spec, status = {} } = instance;
  const settled = metadata.deletionTimestamp === undefined && !spec.pause && status.replacement === undefined;
  if (
    !settled ||
    server?.metadata.deletionTime !== undefined ||
    linkedInstance(server?.metadata.tags) !== metadata.name ||
    !server
  )
    return [];
  const pairs = [
    ...observedFields(server).map(({ words, stored, value }) => ({ words, own: status[stored], servers: value })),
    {
      words: 'the health',
      own: healthStatus(instance, ComputeInstance.realisation),
      servers: server.metadata.healthStatus,
    },
  ];
  const stale = pairs.filter(({ own, servers }) => !isDeepStrictEqual(own, servers)).map(({ words }) => words);
  if (stale.length === 0) return [];
  return [
    {
      checker: 'stale-status',
      id: metadata.name,
      evidence: JSON.stringify(pairs),
      message: `it does not show the current value of its server: ${stale.join(', ')}`,
    },
  ];
}
