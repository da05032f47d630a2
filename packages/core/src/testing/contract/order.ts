import { identifiersOf, refusalGaps, send, validPayload, type Findings, type Sent } from './exchange.ts';
import type { ApiOperation } from './operations.ts';
import type { ContractStage } from './stage.ts';

/** A defect of a request. */
interface Fault {
  readonly called: string;
  readonly status: number;
  /** The request with this defect; undefined if the operation cannot have it. */
  commit(stage: ContractStage, operation: ApiOperation): Sent | undefined;
}

const otherMethod: Fault = { called: 'another method', status: 405, commit: () => ({ method: 'PATCH' }) };

const badIdentifier: Fault = {
  called: 'an invalid identifier',
  status: 400,
  commit: (_stage, operation) => {
    const [first] = identifiersOf(operation);
    return first === undefined ? undefined : { variables: { [first]: 'not-an-identifier' } };
  },
};

const badQuery: Fault = {
  called: 'a word where the query takes a number or a boolean',
  status: 400,
  commit: (_stage, { parameters }) => {
    const typed = parameters.find(
      (parameter) => parameter.in === 'query' && ['integer', 'boolean'].includes(String(parameter.schema['type'])),
    );
    return typed && { query: { [typed.name]: 'several' } };
  },
};

const noToken: Fault = {
  called: 'no token',
  status: 401,
  commit: (_stage, { security }) => (security === 'anonymous' ? undefined : { headers: {} }),
};

const malformedBody: Fault = {
  called: 'an incomplete body',
  status: 400,
  commit: (_stage, { body }) => body && { payload: '{"metadata":' },
};

const noRight: Fault = {
  called: 'no right',
  status: 403,
  commit: (stage, { security }) => (security === 'bearer' ? { headers: stage.callers.nothing } : undefined),
};

const absence: Fault = {
  called: 'something absent',
  status: 404,
  commit: (stage, operation) => {
    const last = identifiersOf(operation).at(-1);
    return last === undefined || !operation.responses.has(404)
      ? undefined
      : { variables: { [last]: stage.variable(last, 'absent', operation) } };
  },
};

/** In the order of the contract's checks. Generation 2 loads an object before it checks access. */
function faultsOf({ path }: ApiOperation): readonly Fault[] {
  return [
    otherMethod,
    badIdentifier,
    badQuery,
    noToken,
    malformedBody,
    ...(path.startsWith('/api/v2/') ? [absence, noRight] : [noRight, absence]),
  ];
}

/** Sends requests with every possible pair of faults, and finds those where the first fault is not the one reported. */
export async function reportsTheFirstFault(stage: ContractStage, operation: ApiOperation): Promise<Findings> {
  const findings: string[] = [];
  for (const [first, second] of pairsOf(faultsOf(operation))) {
    const [one, other] = [first.commit(stage, operation), second.commit(stage, operation)];
    if (!one || !other || (one.headers && other.headers)) continue;
    const sent = { ...sound(stage, operation), ...other, ...one, variables: { ...other.variables, ...one.variables } };
    const answer = await send(stage, operation, withType(sent));
    findings.push(
      ...refusalGaps(operation, first.status, answer).map(
        (finding) => `with ${first.called} and ${second.called} ${finding}`,
      ),
    );
  }
  return findings;
}

function sound(stage: ContractStage, operation: ApiOperation): Sent {
  return { headers: stage.callers.everything, ...validPayload(stage, operation) };
}

/** An incomplete body still has the content type of JSON. */
function withType(sent: Sent): Sent {
  return typeof sent.payload === 'string'
    ? { ...sent, headers: { ...sent.headers, 'content-type': 'application/json' } }
    : sent;
}

function pairsOf<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  return items.flatMap((first, index) => items.slice(index + 1).map((second) => [first, second] as const));
}
