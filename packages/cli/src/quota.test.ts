import { describe, expect, it } from 'vitest';

import { changedQuotas, type Quota } from './quota.ts';

function quota(kind: string, quantity: number): Quota {
  return {
    kind,
    quantity,
    used: 1,
    free: quantity - 1,
    committed: 1,
    reserved: 0,
    displayName: kind,
    description: kind,
    default: 5,
    format: 'decimal',
  };
}

describe('quotas', () => {
  it('are sent as a whole, so that omitted ones stay unchanged', () => {
    const current = { quotas: [quota('servers', 10), quota('gpus', 4)] };
    expect(changedQuotas(current, ['servers=20'])).toEqual({
      quotas: [
        { kind: 'servers', quantity: 20 },
        { kind: 'gpus', quantity: 4 },
      ],
    });
  });

  it('of an unknown kind are refused with a suggestion', () => {
    expect(() => changedQuotas({ quotas: [quota('servers', 10)] }, ['server=20'])).toThrow(
      expect.objectContaining({ ending: 'notFound', hints: ['did you mean servers?'] }) as Error,
    );
  });

  it.each(['servers', 'servers=', 'servers=many', 'servers=-1', 'servers=1=2', 'servers=1.5'])(
    'written %j are refused',
    (text) => {
      expect(() => changedQuotas({ quotas: [quota('servers', 10)] }, [text])).toThrow(/write kind=quantity/);
    },
  );
});
