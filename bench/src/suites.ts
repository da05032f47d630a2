import { commandLineSuite } from './command-line.ts';
import { computeSuite } from './compute.ts';
import { controllerSuite } from './controller.ts';
import { identitySuite } from './identity.ts';
import { kubernetesSuite } from './kubernetes.ts';
import { listsSuite } from './lists.ts';
import { memorySuite } from './memory.ts';
import { openstackSuite } from './openstack.ts';
import { referencesSuite } from './references.ts';
import { regionSuite } from './region.ts';
import type { Suite } from './report.ts';
import { soakSuite } from './soak/index.ts';
import { startSuite } from './start.ts';
import { storeSuite } from './store.ts';

/**
 * All suites, in the order in which they run. A new suite has its own file and a line here; its numbers go through
 * `many()`, for `--smoke`.
 */
export const suites: readonly Suite[] = [
  storeSuite,
  kubernetesSuite,
  controllerSuite,
  memorySuite,
  identitySuite,
  regionSuite,
  openstackSuite,
  referencesSuite,
  computeSuite,
  listsSuite,
  startSuite,
  commandLineSuite,
  soakSuite,
];
