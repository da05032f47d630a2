import { describe, expect, it } from 'vitest';

import type { Flavor } from '../../provider/index.ts';
import { checkPinned, type CreateSpec } from './validation.ts';

const flavor: Flavor = {
  id: 'f',
  name: 'metal',
  architecture: 'x86_64',
  cpus: 1,
  memory_bytes: 2 ** 30,
  disk_gb: 10,
  baremetal: true,
  pinnedOnly: true,
};
const spec: CreateSpec = { flavorId: 'f', imageId: 'i', networkId: 'n' };

describe('a flavor that is kept for named hosts', () => {
  it('needs a named host, which other flavors do not', () => {
    expect(() => {
      checkPinned(flavor, spec);
    }).toThrow('spec.flavorId: is only for servers that name their host in infrastructureRef');
    expect(() => {
      checkPinned(flavor, { ...spec, infrastructureRef: 'metal-host-1' });
      checkPinned({ ...flavor, pinnedOnly: false }, spec);
    }).not.toThrow();
  });
});
