import { placingLabels, type ComputeInstance } from '../../kinds/index.ts';
import type { Finding } from '../finding.ts';

/** A record from before labels were required, or a damaged record. */
export function checkLabels({
  metadata: { name: id, uid, labels: carried = {} },
}: ComputeInstance): readonly Finding[] {
  const missing = placingLabels.filter((label) => !carried[label]);
  if (missing.length === 0) return [];
  return [
    {
      checker: 'incomplete-record',
      id,
      evidence: `${uid} ${missing.join(' ')}`,
      message: `these labels are missing: ${missing.join(', ')}`,
    },
  ];
}
