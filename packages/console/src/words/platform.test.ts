import { expect, it } from 'vitest';

import { checkers } from '../../../compute/src/monitor/finding.ts';
import { platformWords } from './platform.ts';

it('every check of the monitor has a text, and no text is about a check that does not exist', () => {
  expect(Object.keys(platformWords.findings.checkers).toSorted()).toEqual(checkers.toSorted());
});
