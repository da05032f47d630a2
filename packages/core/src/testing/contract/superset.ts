import type { ApiOperation, ApiParameter } from './operations.ts';
import { schemaGaps } from './schema.ts';

/** The API of a service, according to its documents and declarations. */
export interface ServedApi {
  /** The operations of the published document. */
  readonly published: readonly ApiOperation[];
  /** All operations, including hidden ones. */
  readonly declared: readonly ApiOperation[];
  /** The names of the operations that do not speak JSON, which no document tells of. */
  readonly raw: readonly string[];
}

/** Where what is served is less than an operation of the contract, one sentence each. */
export function operationGaps(served: ServedApi, contract: ApiOperation): readonly string[] {
  const published = served.published.find(({ name }) => name === contract.name);
  if (served.raw.includes(contract.name))
    return contract.hidden && contract.security === 'anonymous'
      ? []
      : [`${contract.name}: is not declared, in the contract it is`];
  const ours = published ?? served.declared.find(({ name }) => name === contract.name);
  if (!ours) return [`${contract.name}: is not served`];
  const gaps = [
    ...visibilityGaps(published !== undefined, contract),
    ...securityGaps(ours, contract),
    ...parameterGaps(ours, contract),
    ...bodyGaps(ours, contract),
    ...responseGaps(ours, contract),
  ];
  return gaps.map((gap) => `${contract.name} ${gap}`);
}

function visibilityGaps(published: boolean, { hidden }: ApiOperation): readonly string[] {
  return published === hidden
    ? [
        `document: ${published ? 'names it, in the contract it is hidden' : 'does not name it, in the contract it is not hidden'}`,
      ]
    : [];
}

function securityGaps(ours: ApiOperation, contract: ApiOperation): readonly string[] {
  const gaps = contract.schemes
    .filter((scheme) => !ours.schemes.includes(scheme))
    .map((scheme) => `security: ${scheme} is not accepted`);
  return ours.security === contract.security
    ? gaps
    : [...gaps, `security: is ${ours.security}, in the contract ${contract.security}`];
}

function parameterGaps(ours: ApiOperation, contract: ApiOperation): readonly string[] {
  const isSame = (a: ApiParameter) => (b: ApiParameter) => a.name === b.name && a.in === b.in;
  const known = contract.parameters.flatMap((theirs) => {
    const at = `${theirs.in} ${theirs.name}`;
    const own = ours.parameters.find(isSame(theirs));
    return own
      ? schemaGaps({ direction: 'request', ours: own.schema, contract: theirs.schema, at })
      : [`${at}: is missing`];
  });
  const demanded = ours.parameters.filter(
    (own) => own.required && contract.parameters.find(isSame(own))?.required !== true,
  );
  return [...known, ...demanded.map((own) => `${own.in} ${own.name}: is required, in the contract not`)];
}

function bodyGaps({ body: ours }: ApiOperation, { body: contract }: ApiOperation): readonly string[] {
  const at = 'request body';
  if (!contract) return ours?.required ? [`${at}: is required, in the contract there is none`] : [];
  if (!ours?.json || !contract.json) return [`${at}: is missing`];
  return [
    ...(ours.required && !contract.required ? [`${at}: is required, in the contract not`] : []),
    ...schemaGaps({ direction: 'request', ours: ours.json, contract: contract.json, at }),
  ];
}

/**
 * A success of another status, or with a body where there was none, is a surprise; an error of another status is not.
 */
function responseGaps({ responses: ours }: ApiOperation, { responses: contract }: ApiOperation): readonly string[] {
  const surprises = [...ours.keys()]
    .filter((status) => status < 400 && !contract.has(status))
    .map((status) => `response ${status}: is not in the contract`);
  const known = [...contract].flatMap(([status, theirs]) => {
    const at = `response ${status}`;
    const own = ours.get(status);
    if (!own) return [`${at}: is missing`];
    if (!theirs.json) return own.json ? [`${at}: has a body, in the contract it is empty`] : [];
    return own.json
      ? schemaGaps({ direction: 'response', ours: own.json, contract: theirs.json, at })
      : [`${at}: is empty, in the contract it has a body`];
  });
  return [...surprises, ...known];
}
