import { dataOf, type RegionChecks } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import { limits } from '../limits.ts';
import { coloursFor, type Colours } from '../output/colours.ts';
import { documentText } from '../output/print.ts';
import { nameOf } from '../resources.ts';
import { placeOf, sessionAt } from '../session.ts';
import type { Call } from './verb.ts';

type Check = RegionChecks[number];

/** Asks the control plane to try everything that a region needs from its cloud. */
export async function checkRegionVerb(call: Call, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { stdout, env } = terminal;
  const session = sessionAt(await placeOf(terminal, options), terminal, { retries: limits.regionCheckRetries });
  const region = await find(session, noun, name);
  const path = { regionID: region.metadata.id };
  const checks = await dataOf(session.unikorn.region.POST('/api/v2/regions/{regionID}/check', { params: { path } }));
  if (options.output === 'json' || options.output === 'yaml') stdout.write(await documentText(options.output, checks));
  else for (const check of checks) stdout.write(renderCheck(check, coloursFor(stdout, env)));
  const lacking = checks.filter(({ state }) => state === 'missing' || state === 'unknown');
  if (lacking.length > 0)
    throw new Failure(
      'incomplete',
      `region ${nameOf(noun, region)} lacks ${lacking.length} of ${checks.length} things that it needs from its cloud`,
    );
}

/** One line, and for a thing that is not there a second one with the way to get it. */
export function renderCheck({ name, state, message, remedy }: Check, colours: Colours): string {
  const paint = { ok: colours.green, missing: colours.red, optional: colours.yellow, unknown: colours.red }[state];
  const lines = [`${paint(state.padEnd(9))}${name}${message === undefined ? '' : `: ${message}`}`];
  if (remedy !== undefined) lines.push(colours.dim(`         to grant it: ${remedy}`));
  return lines.map((line) => `${line}\n`).join('');
}
