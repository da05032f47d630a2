import picocolors from 'picocolors';
import { expect, it } from 'vitest';

import type { Named } from '../nouns/noun.ts';
import { renderStatus } from './render.ts';
import { countByState, type Status } from './status.ts';

const status: Status = {
  url: 'https://cloud.example.com',
  source: { kind: 'context', name: 'cloud' },
  services: [{ name: 'identity', version: '1.0.0' }],
  silent: [],
  who: { subject: 'alice@example.com', type: 'user' },
  about: { organization: { id: 'o', name: 'demo' } },
  instances: { running: 2, error: 1 },
  quotas: [
    {
      kind: 'filestorage',
      displayName: 'File storage',
      format: 'binary',
      quantity: 1024 ** 4,
      used: 0,
      free: 1024 ** 4,
    },
  ],
  problems: [{ what: 'instance trainer', message: 'no host has room' }],
};

it('a status shows a summary, and then the problems', () => {
  expect(renderStatus(status, { colours: picocolors.createColors(false), now: new Date('2026-06-01T12:00:00Z') }))
    .toBe(`Control plane:  https://cloud.example.com, context cloud
Services:       identity 1.0.0
You are:        alice@example.com
Organization:   demo
Project:        not chosen
Region:         not chosen
Instances:      2 running, 1 error

QUOTA          USED   OF
File storage   0 B    1 TiB

! instance trainer: no host has room
unikorn instance explain <name> shows the reason
`);
});

it('instances are counted by power state, or by provisioning status before that', () => {
  const instance = (provisioningStatus: 'provisioned' | 'error' | 'provisioning', powerState?: string): Named => ({
    metadata: { id: 'i', name: 'i', provisioningStatus },
    ...{ spec: {}, status: { powerState } },
  });
  expect(
    countByState([
      instance('provisioned', 'Running'),
      instance('provisioned', 'Running'),
      instance('provisioned', 'Stopped'),
      instance('error', 'Running'),
      instance('provisioning'),
    ]),
  ).toEqual({ error: 1, provisioning: 1, running: 2, stopped: 1 });
});
