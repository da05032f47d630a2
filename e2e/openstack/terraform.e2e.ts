import { afterAll, beforeAll } from 'vitest';

import { lives } from '../product/terraform/lives.fixture.ts';
import { resourceTypes } from '../product/terraform/resources.fixture.ts';
import { describeConfiguration, describeLives } from '../product/terraform/sequences.fixture.ts';
import { startTerraform, type Stage } from '../product/terraform/stage.fixture.ts';
import { startForClients } from './client-suites.fixture.ts';

/*
 * The sequences of the Terraform provider, as in e2e/product, with networks and machines in a real cloud. Resources
 * that are not in a cloud are left out, and so is file storage, which OpenStack regions do not have.
 */

const { network, securityGroup, instance } = resourceTypes;
const inCloud = lives.filter(({ type }) => [network, securityGroup, instance].includes(type));

let running: Awaited<ReturnType<typeof startForClients>>;
let stage: Stage;

beforeAll(async () => {
  running = await startForClients();
  stage = await startTerraform(running.product, running.region);
});

afterAll(() => running.stop());

describeLives(() => stage, inCloud);

describeConfiguration(() => stage, 'without files');
