import {
  answerGaps,
  identifiersOf,
  payloadWithUnknowns,
  refusalGaps,
  send,
  validPayload,
  type Findings,
} from './exchange.ts';
import type { ApiOperation } from './operations.ts';
import { reportsTheFirstFault } from './order.ts';
import type { ContractStage } from './stage.ts';

/** Tests one rule on an operation of the contract; `ours` is the same operation in the service's document. */
type Replay = (stage: ContractStage, operation: ApiOperation, ours: ApiOperation) => Promise<Findings>;

/**
 * The rules of the contract in the order of the checks, each tested on every operation that it applies to. The one that
 * changes data comes last.
 */
export const replays: Readonly<Record<string, Replay>> = {
  'a method that a path does not have is refused': refusesOtherMethods,
  'an invalid identifier is refused before authentication': refusesBadIdentifiers,
  'without a token the challenge says where to get one': challengesStrangers,
  'a malformed body is refused before the access check': refusesMalformedBodies,
  'without the right the caller is refused': refusesTheUnentitled,
  'an object that does not exist is not found': missesWhatIsAbsent,
  'of two faults, the one that is checked first is reported': reportsTheFirstFault,
  'a valid request gets the response that the contract declares, also with unknown fields in its body':
    answersValidRequests,
};

async function refusesOtherMethods(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  return refusalGaps(operation, 405, await send(stage, operation, { method: 'PATCH' }));
}

async function refusesBadIdentifiers(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  return eachOf(identifiersOf(operation), async (name) => {
    const answer = await send(stage, operation, { variables: { [name]: 'not-an-identifier' } });
    const text = 'invalid path/query element';
    return [
      ...refusalGaps(operation, 400, answer),
      ...(answer.body.includes(text) ? [] : [`does not contain "${text}", which clients look for`]),
    ];
  });
}

async function challengesStrangers(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  if (operation.security === 'anonymous') return [];
  const answer = await send(stage, operation, {});
  const challenge = String(answer.headers['www-authenticate']);
  const parts = ['Bearer error="access_denied"', 'error_description="', '/.well-known/openid-protected-resource"'];
  return [
    ...refusalGaps(operation, 401, answer),
    ...parts
      .filter((part) => !challenge.includes(part))
      .map((part) => `the challenge ${challenge} does not contain ${part}`),
  ];
}

async function refusesMalformedBodies(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  if (!operation.body) return [];
  const json = { 'content-type': 'application/json' };
  const malformed = [
    { headers: json, payload: '' },
    { headers: json, payload: '{"metadata":' },
    { headers: json, payload: '[]' },
    { headers: json, payload: '{}' },
    { headers: { 'content-type': 'text/plain' }, payload: '{}' },
  ];
  return eachOf(malformed, async ({ headers, payload }) =>
    refusalGaps(
      operation,
      400,
      await send(stage, operation, { headers: { ...headers, ...stage.callers.nothing }, payload }),
    ),
  );
}

async function refusesTheUnentitled(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  if (operation.security !== 'bearer') return [];
  return refusalGaps(
    operation,
    403,
    await send(stage, operation, { headers: stage.callers.nothing, ...validPayload(stage, operation) }),
  );
}

async function missesWhatIsAbsent(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  const last = identifiersOf(operation).at(-1);
  if (last === undefined || !operation.responses.has(404)) return [];
  const variables = { [last]: stage.variable(last, 'absent', operation) };
  return refusalGaps(
    operation,
    404,
    await send(stage, operation, { headers: stage.callers.everything, variables, ...validPayload(stage, operation) }),
  );
}

async function answersValidRequests(
  stage: ContractStage,
  operation: ApiOperation,
  ours: ApiOperation,
): Promise<Findings> {
  const headers = operation.security === 'anonymous' ? {} : stage.callers.everything;
  await stage.ready?.(operation);
  const answer = await send(stage, operation, { headers, ...payloadWithUnknowns(stage, operation) });
  if (answer.statusCode >= 400) return [`was answered with ${answer.statusCode} ${answer.body}`];
  const gaps = answerGaps(operation, answer);
  return [
    ...(gaps.length > 0
      ? gaps
      : answerGaps(ours, answer).map((gap) => `does not match the service's own declaration: ${gap}`)),
    ...nullsIn(answer.body).map((name) => `has null for ${name}, which should be absent`),
    ...(answer.body === '[]' ? ['was answered with an empty list, so the test checks nothing'] : []),
  ];
}

/** The names of all null properties in a response. */
function nullsIn(body: string): Findings {
  const found: string[] = [];
  if (body !== '') {
    JSON.parse(body, (name, value: unknown) => {
      if (value === null) found.push(name);
      return value;
    });
  }
  return found;
}

async function eachOf<T>(cases: readonly T[], check: (one: T) => Promise<Findings>): Promise<Findings> {
  const findings: string[] = [];
  for (const one of cases) findings.push(...(await check(one)));
  return findings;
}
