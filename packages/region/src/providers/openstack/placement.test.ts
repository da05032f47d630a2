import { expect, it } from 'vitest';

import type { nova } from './client/index.ts';
import { hostNeedsOf } from './placement.ts';

function flavor(extra_specs: Readonly<Record<string, string>>): nova.Flavor {
  return {
    id: 'f',
    name: 'metal',
    vcpus: 1,
    ram: 1,
    disk: 1,
    'os-flavor-access:is_public': true,
    extra_specs: { ...extra_specs },
  };
}

it('a host needs one of the class of the flavor, and its traits', () => {
  expect(
    hostNeedsOf(
      flavor({
        'resources:VCPU': '0',
        'resources:CUSTOM_METAL': '1',
        'resources:CUSTOM_OTHER': '0',
        'trait:CUSTOM_FAST': 'required',
        'trait:CUSTOM_OLD': 'forbidden',
      }),
      ['custom_fast', 'custom_rack'],
    ),
  ).toEqual({ resources: { CUSTOM_METAL: 1 }, traits: ['CUSTOM_FAST', '!CUSTOM_OLD', 'CUSTOM_RACK'] });
});

it.each<[Readonly<Record<string, string>>]>([
  [{}],
  [{ 'resources:CUSTOM_A': '1', 'resources:CUSTOM_B': '1' }],
  [{ 'resources:CUSTOM_A': '1', 'trait:CUSTOM_X': 'maybe' }],
])('a flavor with %j is a matter for the operator', (specs) => {
  expect(() => hostNeedsOf(flavor(specs))).toThrow(/metal.*the platform operator must correct it/);
});
