import { CommanderError } from 'commander';

import { ApiError, ConnectionError, NotSettledError } from '@unikorn/sdk';

import type { Ending } from './exit-codes.ts';
import { Differences, Failure } from './failure.ts';
import type { GlobalOptions } from './global-options.ts';
import { typeable } from './hints.ts';
import { withNames } from './known-names.ts';
import { coloursFor } from './output/colours.ts';
import { Interrupted, type Terminal } from './terminal.ts';

/** The exit code of an error, its message, and the details for `--debug`. */
export interface Report {
  readonly ending: Ending;
  readonly lines: readonly string[];
  readonly details: readonly string[];
}

/** Prints the error, and returns the exit code. */
export function report(error: unknown, { stderr, env, known }: Terminal, options: GlobalOptions): Ending {
  const { debug = false, context } = options;
  const { ending, lines, details } = reportOf(error, context === undefined ? env['UNIKORN_TOKEN'] : undefined);
  const [what, ...hints] = lines;
  const colours = coloursFor(stderr, env);
  if (what !== undefined)
    stderr.write(
      `${ending === 'interrupted' ? '' : `${colours.red('error:')} `}${debug ? what : withNames(what, known)}\n`,
    );
  for (const hint of hints) stderr.write(`${colours.dim(typeable(hint, env, options))}\n`);
  if (debug) for (const line of details) stderr.write(`${colours.dim(line)}\n`);
  return ending;
}

/** `token` is the one in the environment, which has precedence over logins. */
export function reportOf(error: unknown, token?: string): Report {
  if (error instanceof Failure)
    return { ending: error.ending, lines: [error.message, ...error.hints], details: stackOf(error) };
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError)
    return { ending: error.exitCode === 0 ? 'done' : 'usage', lines: [], details: [] };
  if (error instanceof Differences) return { ending: 'different', lines: [], details: [] };
  if (error instanceof Interrupted) return { ending: 'interrupted', lines: [], details: [] };
  if (error instanceof NotSettledError) return { ending: 'refused', lines: [error.message], details: stackOf(error) };
  if (error instanceof ConnectionError)
    return { ending: 'unreachable', lines: [error.message, addressHint], details: [error.request, ...stackOf(error)] };
  if (error instanceof ApiError) return ofRefusal(error, token);
  return {
    ending: 'unexpected',
    lines: [error instanceof Error ? error.message : String(error), 'this is a bug; --debug shows where it happened'],
    details: stackOf(error),
  };
}

const addressHint = 'is the address right, and is the server running? unikorn doctor checks both';

/** Services also answer 403 if a quota is exceeded or a resource is in use. Another role would not help then. */
function ofRefusal(error: ApiError, token: string | undefined): Report {
  const details = [
    `${error.request} → ${error.status} ${error.code}`,
    ...(error.traceId === undefined ? [] : [`trace ${error.traceId}`]),
    ...stackOf(error),
  ];
  const said = (ending: Ending, ...hints: readonly string[]): Report => ({
    ending,
    lines: [error.message, ...hints],
    details,
  });
  if (error.code === 'unexpected_answer') return said('unreachable', 'is the address right? unikorn doctor checks it');
  if (error.status === 401)
    return said(
      'forbidden',
      token ? 'the token is from UNIKORN_TOKEN: set another token, or unset it and log in' : 'log in: unikorn login',
    );
  if (error.status === 403 && error.message.startsWith('your roles do not'))
    return said('forbidden', 'ask an administrator of the organization, or of the platform, for a role that allows it');
  if (error.status === 403 && error.message.includes('quota')) return said('refused', ...quotaHints(error.message));
  if (error.status === 404) return said('notFound');
  if ([408, 429, 503].includes(error.status)) return said('refused', 'try again later');
  if (error.status >= 500)
    return said(
      'unexpected',
      `the platform operator can find the error by the trace id ${error.traceId ?? 'that --debug shows'}`,
    );
  return said('refused');
}

/** Only platform administrators can change a quota. The command that they need is in the message of the service. */
function quotaHints(message: string): readonly string[] {
  const [, kind, wanted] = /total (\S+) allocation of (\d+) would exceed/.exec(message) ?? [];
  const raise = kind === undefined ? 'unikorn quota update' : `unikorn quota update ${kind}=${wanted}`;
  return ['unikorn quota list shows the usage', `a platform administrator can raise the limit: ${raise}`];
}

function stackOf(error: unknown): readonly string[] {
  return error instanceof Error && error.stack !== undefined ? error.stack.split('\n').slice(1) : [];
}
