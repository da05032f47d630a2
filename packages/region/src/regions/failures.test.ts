import { describe, expect, it } from 'vitest';

import { failures, ProviderFailure, type FailureKind } from '../provider/index.ts';
import { outcomeOf } from './failures.ts';

const kinds = Object.keys(failures) as FailureKind[];
const outcome = (kind: FailureKind) => outcomeOf(new ProviderFailure(kind, 'why'));

describe('the outcome after a failure of a provider', () => {
  it.each(kinds.filter((kind) => failures[kind].retry !== 'never'))('of the kind %s is another attempt', (kind) => {
    expect(outcome(kind)).toMatchObject({ type: 'retry', message: 'why' });
  });

  it.each(kinds.filter((kind) => failures[kind].retry === 'never'))('of the kind %s waits for a change', (kind) => {
    expect(outcome(kind)).toMatchObject({ type: 'park', reason: 'Errored', message: 'why' });
  });

  it('is shown as an error where the attempt may fail for long, and goes on by itself when the cause is removed', () => {
    for (const kind of ['capacity', 'quota', 'permission'] as const)
      expect(outcome(kind)).toMatchObject({ type: 'retry', reason: 'Errored' });
    expect(outcome('unavailable')).toMatchObject({ type: 'retry', reason: 'Provisioning' });
  });
});
