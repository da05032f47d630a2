import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { Type } from 'typebox';
import { afterAll, expect, it } from 'vitest';

import {
  nova,
  openCloud,
  readCloudsYaml,
  type OpenstackCloud,
} from '../../packages/region/src/providers/openstack/client/index.ts';
import { shapeOf } from '../../packages/region/src/providers/openstack/client/shape.ts';
import { access } from './cloud.fixture.ts';
import { regionSecret } from './provider.fixture.ts';

const clouds: OpenstackCloud[] = [];
afterAll(() => Promise.all(clouds.map((cloud) => cloud.close())));

/** The session that a `clouds.yaml` describes. */
async function sessionFrom(auth: Readonly<Record<string, string>>) {
  const yaml = JSON.stringify({
    clouds: { one: { auth: { auth_url: access.authUrl, ...auth }, region_name: access.region } },
  });
  const { access: cloudAccess, credential, scope } = await readCloudsYaml(yaml);
  const cloud = openCloud({ access: cloudAccess, world: systemWorld, telemetry: silentTelemetry() });
  clouds.push(cloud);
  return cloud.session({ credential, scope });
}

it('a clouds.yaml with a password, and one with an application credential, open the cloud as the same user', async () => {
  const secret = await regionSecret();
  const byPassword = await sessionFrom({
    user_id: secret['user-id'] ?? '',
    project_id: secret['project-id'] ?? '',
    password: secret['password'] ?? '',
  });
  const { userId, projectId } = await byPassword.holder();
  const path = `/users/${userId}/application_credentials`;
  const made = shapeOf(
    Type.Object({ application_credential: Type.Object({ id: Type.String(), secret: Type.String() }) }),
  );
  const body = { application_credential: { name: systemWorld.uuid() } };
  const doing = 'creating the application credential';
  const { application_credential: credential } = await byPassword.ask(
    { service: 'identity', method: 'POST', path, body, doing },
    made,
  );
  const byCredential = await sessionFrom({
    application_credential_id: credential.id,
    application_credential_secret: credential.secret,
  });
  expect(await byCredential.holder()).toMatchObject({ userId, projectId });
  expect((await nova.listFlavors(byCredential)).length).toBeGreaterThan(0);
  await byPassword.remove({ service: 'identity', path: `${path}/${credential.id}`, doing: 'deleting it' });
  await expect(
    (
      await sessionFrom({
        application_credential_id: credential.id,
        application_credential_secret: credential.secret,
      })
    ).holder(),
  ).rejects.toMatchObject({ kind: 'permission' });
});
