import { expect, it } from 'vitest';

import { pageCommand } from './page-command.ts';

const place = { organization: 'acme', project: 'my shop' };

it.each([
  ['/o/1/p/2/instances', "npx unikorn instance list --organization acme --project 'my shop'"],
  ['/o/1/p/2/instances/', "npx unikorn instance list --organization acme --project 'my shop'"],
  ['/o/1/p/2/instances/77', "npx unikorn instance explain 77 --organization acme --project 'my shop'"],
  ['/o/1/p/2/instances/77/history', "npx unikorn instance history 77 --organization acme --project 'my shop'"],
  ['/o/1/p/2/security-groups/5', "npx unikorn securitygroup get 5 --organization acme --project 'my shop'"],
  ['/o/1/p/2/images', 'npx unikorn image list --organization acme'],
  ['/o/1/users', 'npx unikorn user list --organization acme'],
  ['/platform/regions/9', 'npx unikorn region get 9'],
])('the page %s is the command %s', (page, command) => {
  expect(pageCommand(page, place)).toBe(command);
});

it.each(['/', '/settings', '/platform/sagas', '/o/1/p/2/instances/77/unknown', '/o/1/login-providers'])(
  'the page %s has no command',
  (page) => {
    expect(pageCommand(page, place)).toBeUndefined();
  },
);
