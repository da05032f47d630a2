import { Resolver } from 'node:dns/promises';

import { waits } from '../limits.ts';

/** The TXT records of a name. Empty if the name does not exist, or if no name server answers in time. */
export type TextRecords = (name: string) => Promise<readonly string[]>;

/** Asks the name servers of this machine. */
export const systemTextRecords: TextRecords = async (name) => {
  const resolver = new Resolver({ timeout: waits.textRecords_ms, tries: 1 });
  try {
    // A record longer than 255 bytes is split into parts.
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch {
    return [];
  }
};
