import { computeSuite } from './compute.ts';
import { controllerSuite } from './controller.ts';
import { identitySuite } from './identity.ts';
import { memorySuite } from './memory.ts';
import { regionSuite } from './region.ts';
import type { Suite } from './report.ts';
import { startSuite } from './start.ts';
import { storeSuite } from './store.ts';

export const suites: readonly Suite[] = [storeSuite, controllerSuite, memorySuite, identitySuite, regionSuite, computeSuite, startSuite];
