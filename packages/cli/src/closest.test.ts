import { describe, expect, it } from 'vitest';

import { closest } from './closest.ts';

describe('close names', () => {
  it('have a few different letters or the same beginning, the closest first', () => {
    expect(closest('web1', ['web-10', 'web-1', 'database', 'web1x'])).toEqual(['web1x', 'web-1']);
    expect(closest('front', ['frontend', 'backend'])).toEqual(['frontend']);
  });

  it('are not arbitrary names', () => {
    expect(closest('db', ['frontend', 'web'])).toEqual([]);
  });
});
