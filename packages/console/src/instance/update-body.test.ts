import type { Instance } from '@unikorn/sdk';
import { expect, it } from 'vitest';

import { updateOf } from './update-body.ts';

const metadata = { id: '1', name: 'web', description: 'shop', tags: [{ name: 'team', value: 'a' }] };
const spec = {
  flavorId: 'small',
  imageId: 'debian',
  networking: { publicIP: true },
  userData: 'IyE=',
  sshCertificateAuthorityId: '2',
};
const instance = { metadata, spec, status: {} } as unknown as Instance;

it('an update sends everything that the instance has, with the changes', () => {
  expect(updateOf(instance, { spec: { imageId: 'ubuntu' }, metadata: { description: 'blog' } })).toEqual({
    metadata: { name: 'web', description: 'blog', tags: metadata.tags },
    spec: { ...spec, imageId: 'ubuntu' },
  });
});

it('what is set to nothing is left out, so that the service removes it', () => {
  const { metadata: sent, spec: sentSpec } = updateOf(instance, {
    metadata: { description: '' },
    spec: { userData: undefined, sshCertificateAuthorityId: undefined },
  });
  expect([Object.keys(sent), Object.keys(sentSpec)]).toEqual([
    ['name', 'tags'],
    ['flavorId', 'imageId', 'networking'],
  ]);
});
