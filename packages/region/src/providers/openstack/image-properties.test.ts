import { generateKeyPairSync, sign } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import type { ImageDescription } from '../../provider/index.ts';
import type { glance } from './client/index.ts';
import { hardwareFor, imageOf, isTrusted, propertiesOf } from './image-properties.ts';

const id = '6f1c3c5e-8d1a-4c6e-9a35-0d0f6a1b2c3d';

const noble: ImageDescription = {
  id,
  name: 'noble',
  description: 'with Kubernetes 🚀, 100% and %41',
  organizationId: 'o1',
  tags: [
    { name: 'team', value: 'web' },
    { name: 'share 🥧', value: '50% 🥧' },
  ],
  architecture: 'aarch64',
  virtualization: 'virtualized',
  os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04', variant: 'server', codename: 'noble' },
  softwareVersions: { kubernetes: 'v1.31.0', runc: '1.2' },
  gpu: { vendor: 'NVIDIA', driver: '550.54.15', models: ['L4', 'H100'] },
};

function stored(properties: Readonly<Record<string, string>>, changes: Partial<glance.GlanceImage> = {}) {
  return {
    id,
    name: 'noble',
    status: 'active',
    visibility: 'public',
    created_at: '2026-01-01T00:00:00Z',
    min_disk: 20,
    min_ram: 0,
    ...changes,
    ...properties,
  };
}

function without(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(propertiesOf(noble)).filter(([name]) => !names.includes(name)));
}

describe('the properties of an image', () => {
  it('say everything about it that a description can say', () => {
    expect(imageOf(stored(propertiesOf(noble)))).toEqual({
      ...noble,
      size_gib: 20,
      state: 'ready',
      createdAt: '2026-01-01T00:00:00Z',
    });
  });

  it('have no character of four bytes, which Glance would refuse', () => {
    expect(JSON.stringify(propertiesOf(noble))).not.toMatch(/[\u{10000}-\u{10FFFF}]/u);
  });

  it.each([
    ['a description that an operator wrote, as it is', '50% of %zz and %F4%BF%BF%BF', '50% of %zz and %F4%BF%BF%BF'],
    ['no description if it is empty', '', undefined],
  ])('have %s', (_case, property, description) => {
    expect(imageOf(stored({ ...propertiesOf(noble), 'unikorn:description': property }))?.description).toBe(description);
  });

  it('of an older image have no description', () => {
    expect(imageOf(stored(without('unikorn:description')))).not.toHaveProperty('description');
  });

  it('name the identity of a snapshot', () => {
    expect(imageOf(stored({ ...propertiesOf(noble), 'unikorn:identity_id': 'i1' }))).toMatchObject({
      identityId: 'i1',
    });
  });

  it.each([
    ['without a distribution', without('unikorn:os:distro')],
    ['without its virtualization', without('unikorn:virtualization')],
    ['with an unknown kernel', { ...propertiesOf(noble), 'unikorn:os:kernel': 'windows' }],
    ['with an unknown architecture', { ...propertiesOf(noble), architecture: 'riscv64' }],
    ['with a GPU vendor and no driver', without('unikorn:gpu_driver_version')],
    ['with a GPU vendor and no models', without('unikorn:gpu_models')],
    ['with a version of Kubernetes that is not one', { ...propertiesOf(noble), 'unikorn:package:kubernetes': '1.31' }],
  ])('do not describe an image %s', (_case, properties) => {
    expect(imageOf(stored(properties))).toBeUndefined();
  });

  it('of an older image name Kubernetes, and the architecture is x86_64', () => {
    const properties = {
      ...without('unikorn:package:kubernetes', 'architecture'),
      'unikorn:kubernetes_version': 'v1.30.1',
    };
    expect(imageOf(stored(properties))).toMatchObject({
      architecture: 'x86_64',
      softwareVersions: { kubernetes: 'v1.30.1' },
    });
  });

  it.each([
    ['queued', 'pending'],
    ['saving', 'creating'],
    ['importing', 'creating'],
    ['uploading', 'creating'],
    ['active', 'ready'],
    ['killed', 'failed'],
    ['deactivated', 'failed'],
  ])('with the status %s mean %s', (status, state) => {
    expect(imageOf(stored(propertiesOf(noble), { status }))).toMatchObject({ state });
  });

  it('without a least disk have the size of the data, rounded up', () => {
    expect(imageOf(stored(propertiesOf(noble), { min_disk: 0, virtual_size: 3 * 2 ** 30 + 1 }))?.size_gib).toBe(4);
  });
});

it('the virtual hardware follows the architecture', () => {
  expect(hardwareFor({ architecture: 'x86_64' })).toMatchObject({ hw_machine_type: 'q35' });
  expect(hardwareFor({ architecture: 'aarch64' })).toMatchObject({ hw_machine_type: 'virt' });
});

describe('with a signing key, an image is offered', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const digestOf = (text: string) => sign('sha256', Buffer.from(text), privateKey).toString('base64');
  const anonymous = without('unikorn:organization:id');

  it('only with a signature over its own id', () => {
    expect(isTrusted(stored({ ...anonymous, 'unikorn:digest': digestOf(id) }), key)).toBe(true);
    expect(isTrusted(stored({ ...anonymous, 'unikorn:digest': digestOf('another') }), key)).toBe(false);
    expect(isTrusted(stored({ ...anonymous, 'unikorn:digest': 'nonsense' }), key)).toBe(false);
    expect(isTrusted(stored(anonymous), key)).toBe(false);
    expect(isTrusted(stored({ ...anonymous, 'unikorn:digest': digestOf(id) }), 'not a key')).toBe(false);
  });

  it('also without a signature when it belongs to an organization, or when the region has no key', () => {
    expect(isTrusted(stored(propertiesOf(noble)), key)).toBe(true);
    expect(isTrusted(stored(anonymous), undefined)).toBe(true);
  });
});
