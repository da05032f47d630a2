import { describe, expect, it } from 'vitest';

import { isProblem, Problem, problems, toError, wireCodes, type ProblemCode } from './index.ts';

describe('the registry', () => {
  it.each<[ProblemCode, number]>([
    ['invalid_request', 400],
    ['access_denied', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['method_not_allowed', 405],
    ['conflict', 409],
    ['request_entity_too_large', 413],
    ['unsupported_media_type', 415],
    ['unprocessable_content', 422],
    ['server_error', 500],
  ])('the contract’s code %s has its own entry with status %i', (code, status) => {
    expect(problems[code]).toMatchObject({ wire: code, status });
  });

  it('the codes on the wire are the contract’s, no more and no fewer', () => {
    expect([...wireCodes].sort()).toEqual([
      'access_denied',
      'conflict',
      'forbidden',
      'invalid_request',
      'method_not_allowed',
      'not_found',
      'request_entity_too_large',
      'server_error',
      'unprocessable_content',
      'unsupported_media_type',
    ]);
    expect(new Set(Object.values(problems).map((entry) => entry.wire))).toEqual(new Set(wireCodes));
  });

  it.each(Object.entries(problems))(
    '%s goes out with the status of its wire code, or a closer one of the same class',
    (_, entry) => {
      const contract = problems[entry.wire].status;
      expect(Math.floor(entry.status / 100)).toBe(Math.floor(contract / 100));
      expect(entry.meaning).toMatch(/^[A-Z].*\.$/);
      expect(entry.remedy).toMatch(/^[A-Z].*\.$/);
    },
  );

  it('a used-up quota and a resource in use are forbidden, as clients of the contract expect', () => {
    expect([problems.quota_exceeded, problems.in_use].map(({ wire, status }) => [wire, status])).toEqual([
      ['forbidden', 403],
      ['forbidden', 403],
    ]);
  });
});

describe('a problem', () => {
  it('knows its status and keeps its cause', () => {
    const cause = new Error('hidden');
    const problem = new Problem('not_found', 'network n does not exist', { cause });
    expect(problem).toMatchObject({
      name: 'Problem',
      code: 'not_found',
      status: 404,
      message: 'network n does not exist',
      cause,
    });
    expect(problem).toBeInstanceOf(Error);
  });

  it('is distinguished from other errors and from problems with another code', () => {
    const problem: unknown = new Problem('conflict', 'it changed');
    expect(isProblem(problem)).toBe(true);
    expect(isProblem(problem, 'conflict')).toBe(true);
    expect(isProblem(problem, 'not_found')).toBe(false);
    expect(isProblem(Object.assign(new Error('it changed'), { code: 'conflict' }))).toBe(false);
  });

  it('anything thrown becomes an error, and an error stays itself', () => {
    const error = new Error('one');
    expect(toError(error)).toBe(error);
    expect(toError('text').message).toContain('text');
    expect(toError(undefined)).toBeInstanceOf(Error);
  });
});
