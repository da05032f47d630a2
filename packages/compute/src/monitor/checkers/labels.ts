import { labels } from '@unikorn/core/resource';

import type { ComputeInstance } from '../../kinds/index.ts';
import type { Finding } from '../finding.ts';

/** Without these nobody can say whose an instance is, and the deletion of its network or project does not reach it. */
const needed = [labels.name, labels.organization, labels.project, labels.region, labels.network] as const;

export function checkLabels({ metadata: { name: id, uid, labels: carried = {} } }: ComputeInstance): readonly Finding[] {
  const missing = needed.filter((label) => !carried[label]);
  if (missing.length === 0) return [];
  return [{ checker: 'incomplete-record', id, evidence: `${uid} ${missing.join(' ')}`, message: `it lacks the labels ${missing.join(', ')}` }];
}
