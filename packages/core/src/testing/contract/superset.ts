import type { ApiOperation, ApiParameter } from './operations.ts';
import { schemaGaps } from './schema.ts';

/** The API of a service, according to its documents and declarations. */
export interface ServedApi {
  /** The operations of the published document. */
  readonly published: readonly ApiOperation[];
  /** All operations, including hidden ones. */
  readonly declared: readonly ApiOperation[];
  /** The names of the operations that do not use JSON, which are in no document. */
  readonly raw: readonly string[];
}

/**
 * Compares the served API with an operation of the contract, and returns a sentence for each missing or narrower part.
 */
export function operationGaps(served: ServedApi, contract: ApiOperation): readonly string[] {
  const published = served.published.find(({ name }) => name === contract.name);
  if (served.raw.includes(contract.name))
    return contract.hidden && contract.security === 'anonymous'
      ? []
      : [`${contract.name}: is not declared, but it is in the contract`];
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
        `document: ${published ? 'documents it, but the contract hides it' : 'does not document it, but the contract does'}`,
      ]
    : [];
}

function securityGaps(ours: ApiOperation, contract: ApiOperation): readonly string[] {
  const gaps = contract.schemes
    .filter((scheme) => !ours.schemes.includes(scheme))
    .map((scheme) => `security: ${scheme} is not accepted`);
  return ours.security === contract.security
    ? gaps
    : [...gaps, `security: is ${ours.security}, but in the contract ${contract.security}`];
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
  return [...known, ...demanded.map((own) => `${own.in} ${own.name}: is required, but not in the contract`)];
}

function bodyGaps({ body: ours }: ApiOperation, { body: contract }: ApiOperation): readonly string[] {
  const at = 'request body';
  if (!contract) return ours?.required ? [`${at}: is required, but the contract has none`] : [];
  if (!ours?.json || !contract.json) return [`${at}: is missing`];
  return [
    ...(ours.required && !contract.required ? [`${at}: is required, but not in the contract`] : []),
    ...schemaGaps({ direction: 'request', ours: ours.json, contract: contract.json, at }),
  ];
}

/** Another success status, or a body where the contract has none, is a difference. Another error status is not. */
function responseGaps({ responses: ours }: ApiOperation, { responses: contract }: ApiOperation): readonly string[] {
  const surprises = [...ours.keys()]
    .filter((status) => status < 400 && !contract.has(status))
    .map((status) => `response ${status}: is not in the contract`);
  const known = [...contract].flatMap(([status, theirs]) => {
    const at = `response ${status}`;
    const own = ours.get(status);
    if (!own) return [`${at}: is missing`];
    if (!theirs.json) return own.json ? [`${at}: has a body, but in the contract it is empty`] : [];
    return own.json
      ? schemaGaps({ direction: 'response', ours: own.json, contract: theirs.json, at })
      : [`${at}: is empty, but in the contract it has a body`];
  });
  return [...surprises, ...known];
}
