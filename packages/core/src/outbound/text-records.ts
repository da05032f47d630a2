import { Resolver } from 'node:dns/promises';

/** The TXT records of a name; none when there is no such name, or nobody answers in time. */
export type TextRecords = (name: string) => Promise<readonly string[]>;

/** Somebody waits for the answer, so a name server that is silent must not take long. */
const timeout_ms = 3_000;

/** Asks the name servers of this machine. */
export const systemTextRecords: TextRecords = async (name) => {
  const resolver = new Resolver({ timeout: timeout_ms, tries: 1 });
  try {
    // A record longer than 255 bytes comes in parts.
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch {
    return [];
  }
};
