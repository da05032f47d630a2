import type { Difference } from './comparison.fixture.ts';

/** Changes by itself, in every version. */
const always: readonly Difference[] = [
  { where: /^instances \S+ status\.observedAt: was "[^"]+", is a time since the start$/, why: 'when it was last looked at', sometimes: true },
  { where: /^filestorage \S+ status\.usage\./, why: 'the simulated cloud makes up how full it is from the time', sometimes: true },
  { where: /^serviceaccounts platform /, why: 'the token of the platform account is replaced when it has run out', sometimes: true },
];

/** What a later version may show differently, by the version that made the state. Each has a reason, and each must occur. */
export const allowed: Readonly<Record<string, readonly Difference[]>> = {
  v1: [...always],
};
