import { expect, it } from 'vitest';

import { organizationEntries, platformEntries, projectEntries } from './areas.ts';
import { pageCommand } from './page-command.ts';

const place = { organization: 'acme', project: 'my shop' };

it.each([
  ['/o/1/p/2/instances', "npx unikorn instance list --organization acme --project 'my shop'"],
  ['/o/1/p/2/instances/', "npx unikorn instance list --organization acme --project 'my shop'"],
  ['/o/1/p/2/instances/77', "npx unikorn instance explain 77 --organization acme --project 'my shop'"],
  ['/o/1/p/2/instances/77/history', "npx unikorn instance history 77 --organization acme --project 'my shop'"],
  ['/o/1/p/2/security-groups/5', "npx unikorn securitygroup get 5 --organization acme --project 'my shop'"],
  ['/o/1/p/2/images', 'npx unikorn image list --organization acme'],
  ['/o/1/p/2/images/6/5', 'npx unikorn image get 5 --region 6 --organization acme'],
  ['/o/1/p/2/networks/5/history', "npx unikorn network history 5 --organization acme --project 'my shop'"],
  ['/o/1/users', 'npx unikorn user list --organization acme'],
  ['/platform/regions/9', 'npx unikorn region get 9'],
])('the page %s is the command %s', (page, command) => {
  expect(pageCommand(page, place)).toBe(command);
});

it.each(['/', '/settings', '/o/1/p/2/instances/77/unknown', '/platform/guided-minute'])(
  'the page %s has no command',
  (page) => {
    expect(pageCommand(page, place)).toBeUndefined();
  },
);

/** A command of the settings would need the name of the organization as an argument. */
const without = ['/o/1/settings', '/platform/guided-minute'];

it.each(
  [
    ...projectEntries.map(({ to }) => `/o/1/p/2/${to}`),
    ...organizationEntries.map(({ to }) => `/o/1/${to}`),
    ...platformEntries.map(({ to }) => `/platform/${to}`),
  ].filter((page) => !without.includes(page)),
)('the page %s of the rail has a command', (page) => {
  expect(pageCommand(page, place)).toMatch(/^npx unikorn [a-z0-9]+/);
});
