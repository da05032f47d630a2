import picocolors from 'picocolors';
import { expect, it } from 'vitest';

import { renderActivity } from './activity.ts';

it('activity shows time, user, action, resource and outcome', () => {
  const place = { organizationId: 'o', projectId: 'p' };
  const text = renderActivity(
    [
      {
        time: '2026-11-15T12:00:03.000000Z',
        actor: 'bob@example.com',
        action: 'update',
        outcome: 'refused',
        message: 'the quota is used up',
        resource: { kind: 'instance', id: 'i', name: 'web-1' },
        ...place,
      },
      {
        time: '2026-11-15T12:00:02.000000Z',
        actor: 's1',
        action: 'update',
        outcome: 'accepted',
        changes: [{ field: 'spec.routes', action: 'in-place' }],
        resource: { kind: 'network', id: 'n' },
        ...place,
      },
      {
        time: '2026-11-15T12:00:01.000000Z',
        action: 'create',
        outcome: 'accepted',
        resource: { kind: 'project', id: 'p', name: 'shop' },
        ...place,
      },
    ],
    (_noun, id) => ({ s1: 'deployer', p: 'shop' })[id] ?? id,
    picocolors.createColors(false),
  );
  expect(text).toMatchInlineSnapshot(`
    "TIME                   WHO               WHAT     RESOURCE         PROJECT   OUTCOME    DETAIL
    2026-11-15T12:00:03Z   bob@example.com   update   instance web-1   shop      refused    the quota is used up
    2026-11-15T12:00:02Z   deployer          update   network n        shop      accepted   routes
    2026-11-15T12:00:01Z                     create   project shop               accepted
    "
  `);
});
