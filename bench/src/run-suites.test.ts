import { describe, expect, it } from 'vitest';

import type { Suite } from './report.ts';
import { runSuites } from './run-suites.ts';

const works = (name: string): Suite => ({
  name,
  run: () => Promise.resolve([{ name: `speed of ${name}`, settings: '', value: 7, unit: '/s' }]),
});
const fails: Suite = { name: 'broken', run: () => Promise.reject(new Error('no room')) };

async function ran(suites: readonly Suite[], judged = true) {
  const printed: string[] = [];
  const ok = await runSuites(suites, { progress: () => undefined, print: (text) => printed.push(text), judged });
  return {
    ok,
    printed,
    json: JSON.parse(printed.at(-1) ?? '') as {
      readonly figures: readonly { readonly suite: string }[];
      readonly failures: readonly object[];
    },
  };
}

describe('a run of suites', () => {
  it('prints each suite before the next one begins', async () => {
    const printed: string[] = [];
    let before: string[] = [];
    const looks: Suite = {
      name: 'second',
      run: () => {
        before = [...printed];
        return Promise.resolve([]);
      },
    };
    await runSuites([works('first'), looks], {
      progress: () => undefined,
      print: (text) => printed.push(text),
      judged: true,
    });
    expect(before.join('\n')).toContain('speed of first');
  });

  it('goes on after one that fails, keeps the figures of the others, and says so in the end', async () => {
    const { ok, printed, json } = await ran([works('first'), fails, works('last')]);
    expect(ok).toBe(false);
    expect(printed.join('\n')).toContain('broken FAILED');
    expect(json.figures.map(({ suite }) => suite)).toEqual(['first', 'last']);
    expect(json.failures).toEqual([{ suite: 'broken', error: 'Error: no room' }]);
  });

  it('is fine when none fails', async () => {
    expect((await ran([works('first')])).ok).toBe(true);
  });

  it('fails for a missed goal only where the goal decides, and where the figures mean something', async () => {
    const misses = (goal: object): Suite => ({
      name: 'slow',
      run: () =>
        Promise.resolve([
          { name: 'speed', settings: '', value: 7, unit: '/s', goal: { text: 'more', met: false, ...goal } },
        ]),
    });
    expect((await ran([misses({})])).ok).toBe(true);
    expect((await ran([misses({ decides: true })])).ok).toBe(false);
    expect((await ran([misses({ decides: true })], false)).ok).toBe(true);
  });
});
