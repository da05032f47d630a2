import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';

import { ApiError, ConnectionError, NotSettledError } from '@unikorn/sdk';

import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { reportOf } from './report.ts';
import { Interrupted } from './terminal.ts';

function refusal(status: number, message = 'the name is taken'): ApiError {
  return new ApiError({
    status,
    code: 'conflict',
    message,
    traceId: 'abc',
    body: undefined,
    request: 'POST http://here/x',
  });
}

describe('the error of a command', () => {
  it.each([
    [new Failure('usage', 'wrong'), 2],
    [new CommanderError(1, 'commander.unknownOption', 'error: unknown option'), 2],
    [new CommanderError(0, 'commander.helpDisplayed', '(outputHelp)'), 0],
    [refusal(400), 3],
    [refusal(409), 3],
    [refusal(404), 4],
    [refusal(401), 5],
    [refusal(403, 'your roles do not allow create on compute:instances here'), 5],
    [refusal(403, 'total servers allocation of 6 would exceed quota limit of 5'), 3],
    [refusal(500), 1],
    [refusal(429, 'too many requests'), 3],
    [refusal(503, 'the region does not answer'), 3],
    [new NotSettledError('failed', 'web could not be provisioned'), 3],
    [new ConnectionError('GET http://127.0.0.1:1/x', new Error('refused')), 6],
    [new Failure('timedOut', 'late'), 7],
    [new Interrupted(), 130],
    [new TypeError('oops'), 1],
  ])('%s: %d', (error, code) => {
    expect(exitCodes[reportOf(error).ending].code).toBe(code);
  });

  it('distinguishes a response of a control plane from others', () => {
    const error = new ApiError({
      status: 502,
      code: 'unexpected_answer',
      message: 'http://here did not answer like a control plane: 502 <h1>',
      traceId: undefined,
      body: undefined,
      request: 'GET http://here/x',
    });
    expect(reportOf(error)).toMatchObject({
      ending: 'unreachable',
      lines: [error.message, 'is the address right? unikorn doctor checks it'],
    });
  });

  it.each([408, 429, 503])('suggests a retry for a temporary failure (%d)', (status) => {
    expect(reportOf(refusal(status, 'too busy')).lines).toEqual(['too busy', 'try again later']);
  });

  it('does not suggest a role if no role would help', () => {
    expect(reportOf(refusal(403, 'network web is in use by server web-1: delete it first')).lines).toEqual([
      'network web is in use by server web-1: delete it first',
    ]);
  });

  it('shows the quota command for an exceeded quota', () => {
    expect(reportOf(refusal(403, 'total servers allocation of 6 would exceed quota limit of 5')).lines[1]).toContain(
      'unikorn quota list',
    );
  });

  it('does not suggest a login if the token is in the environment', () => {
    expect(reportOf(refusal(401)).lines).toEqual(['the name is taken', 'log in: unikorn login']);
    expect(reportOf(refusal(401), 'uksa_ended').lines).toEqual([
      'the name is taken',
      'the token is from UNIKORN_TOKEN: set another token, or unset it and log in',
    ]);
  });

  it('shows the request and its trace only with --debug', () => {
    const { lines, details } = reportOf(refusal(409));
    expect(lines).toEqual(['the name is taken']);
    expect(details.slice(0, 2)).toEqual(['POST http://here/x → 409 conflict', 'trace abc']);
  });
});
