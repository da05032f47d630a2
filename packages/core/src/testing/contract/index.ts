import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import common from './common.json' with { type: 'json' };
import { readOperations, type ApiDocuments, type ApiOperation } from './operations.ts';
import { replays } from './replay.ts';
import type { ContractStage } from './stage.ts';
import { operationGaps } from './superset.ts';

export { answerGaps } from './exchange.ts';
export { readOperations, type ApiMethod, type ApiOperation } from './operations.ts';
export { inProcess, type ContractStage, type WireAnswer, type WireRequest } from './stage.ts';
export type { ServedApi } from './superset.ts';

/** Thousands of requests take a while on a busy machine. */
const patience_ms = 180_000;

/** An intended difference between a service and the contract. */
export interface Deviation {
  /** Matches the findings of the comparison. */
  readonly where: RegExp;
  readonly why: string;
  /** Whether it concerns declarations that are in no document, so that only the tests of the service find it. */
  readonly hidden?: true;
}

export interface ContractWalk {
  /**
   * The contract of the service and of the documents that it refers to, by the names that the references use;
   * `common.json` is included.
   */
  readonly documents: ApiDocuments;
  /** The name of the service's own document. */
  readonly contract: string;
  readonly deviations: readonly Deviation[];
  readonly start: () => Promise<ContractStage & { readonly stop: () => Promise<void> }>;
  /** How long all requests may take. */
  readonly patience_ms?: number;
}

/** Every operation of a contract, with its references to the common document resolved. */
export function contractOperations({
  documents,
  contract,
}: Pick<ContractWalk, 'documents' | 'contract'>): readonly ApiOperation[] {
  const operations = readOperations({ 'common.json': common, ...documents }, contract);
  if (operations.length === 0) throw new Error(`${contract} has no operations, so the test would check nothing`);
  return operations;
}

/**
 * Tests that a service is a superset of its wire contract, first by its documents and then by its responses. It needs
 * vitest, so it is imported from `@unikorn/core/testing/contract`.
 *
 * @example describeContract('identity', { documents: { 'identity.json': identity }, contract: 'identity.json', deviations, start });
 */
export function describeContract(title: string, walk: ContractWalk): void {
  describe(`the contract of ${title}`, () => {
    const shape = 'everything it declares is served, and accepts and returns what clients expect';
    let stage: Awaited<ReturnType<ContractWalk['start']>>;
    const found = new Map<string, readonly string[]>();
    beforeAll(async () => {
      stage = await walk.start();
      const operations = contractOperations(walk);
      const served = await stage.served();
      found.set(
        shape,
        operations.flatMap((operation) => operationGaps(served, operation)),
      );
      const declared = new Map(served.declared.map((ours) => [ours.name, ours]));
      for (const [promise, replay] of Object.entries(replays)) {
        const findings: string[] = [];
        for (const operation of operations.toSorted(destructiveLast)) {
          const ours = declared.get(operation.name);
          if (ours)
            findings.push(
              ...(await replay(stage, operation, ours)).map((finding) => `${operation.name} (${promise}): ${finding}`),
            );
        }
        found.set(promise, findings);
      }
    }, walk.patience_ms ?? patience_ms);
    afterAll(() => stage.stop());

    it.each([shape, ...Object.keys(replays)])('%s', (promise) => {
      expect(
        found.get(promise)?.filter((finding) => !walk.deviations.some(({ where }) => where.test(finding))),
      ).toEqual([]);
    });

    it('every deviation in the table still exists', () => {
      const findings = [...found.values()].flat();
      expect(walk.deviations.filter(({ where }) => !findings.some((finding) => where.test(finding)))).toEqual([]);
    });
  });
}

/** Deletions come after all other operations, and inner resources are deleted before the outer ones. */
function destructiveLast(a: ApiOperation, b: ApiOperation): number {
  const rank = ({ method, path }: ApiOperation) => (method === 'DELETE' ? 1000 - path.split('/').length : 0);
  return rank(a) - rank(b);
}
