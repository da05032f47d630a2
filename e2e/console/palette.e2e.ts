import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let place: string;

beforeAll(async () => {
  product = await shareConsole();
  place = `/o/${product.organizationId}/p/${product.projectId}`;
});

afterAll(() => product.stop());

async function instanceNamed(name: string) {
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
  const found = instances.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no instance ${name}`);
  return found;
}

/** Opens the palette, and writes into it. */
async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill(text);
  return palette;
}

it('verbs act on the instance of the page, with the reasons of the service; Enter and a click do the same', async () => {
  const { metadata } = await instanceNamed('web-1');
  const page = await product.open(`${place}/instances/${metadata.id}`);
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  const actions = await dataOf(
    product.api.compute.GET('/api/v2/instances/{instanceID}/actions', {
      params: { path: { instanceID: metadata.id } },
    }),
  );
  const refused = actions.find(({ action }) => action === 'start');
  let palette = await search(page, 'start');
  await palette.getByText('Actions on web-1').waitFor();
  const start = palette.getByRole('option', { name: /^Start/ });
  await start.getByText(refused?.reason ?? 'the service gave no reason').waitFor();
  expect(await start.getAttribute('aria-disabled')).toBe('true');
  await checked(page);
  await page.keyboard.press('Enter');
  await palette.waitFor();
  await page.keyboard.press('Escape');
  palette = await search(page, 'stop');
  await palette.getByRole('option', { name: 'Stop', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Stop web-1?' });
  await dialog.waitFor();
  await expect.poll(() => page.evaluate('document.activeElement?.closest("[role=dialog]") !== null')).toBe(true);
  await checked(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  palette = await search(page, 'stop');
  await palette.getByRole('option', { name: 'Stop', exact: true }).click();
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('stopped', { exact: true }).first().waitFor({ timeout: 60_000 });
  palette = await search(page, 'start');
  await palette.getByRole('option', { name: 'Start', exact: true }).click();
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  palette = await search(page, 'protect');
  await palette.getByRole('option', { name: 'Protect', exact: true }).click();
  await page.getByText('web-1 is protected against deletion.').waitFor();
  palette = await search(page, 'undo');
  await palette.getByRole('option', { name: /^Undo/ }).click();
  await page.getByText('Undone. The old value is back.').waitFor();
  for (const [verb, title] of [
    ['snapshot', 'Create a snapshot of web-1'],
    ['tags', 'Tags of web-1'],
    ['delete', 'Delete web-1?'],
  ] as const) {
    await search(page, verb);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: title }).waitFor({ state: 'hidden' });
  }
});

it('verbs act on the selection', async () => {
  const [one, two] = await Promise.all([instanceNamed('web-1'), instanceNamed('web-2')]);
  const page = await product.open(`${place}/instances?sel=${one.metadata.id},${two.metadata.id}`);
  await page.getByRole('toolbar', { name: 'Actions on the selected instances' }).waitFor();
  const palette = await search(page, 'start');
  await palette.getByText('Actions on 2 instances').waitFor();
  await palette.getByRole('option', { name: /^Start.*already running/ }).waitFor();
  await checked(page);
  await palette.getByRole('combobox').fill('protect');
  await palette.getByRole('option', { name: 'Protect', exact: true }).click();
  const results = page.getByRole('dialog', { name: 'Protect: results' });
  await results.getByText('2 accepted, 0 failed, of 2.').waitFor();
  await results.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('2 instances are protected against deletion.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone. The old value is back.').waitFor();
});

it('pasted ids and addresses lead to what has them', async () => {
  const { metadata, status } = await instanceNamed('web-2');
  const page = await product.open('/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  for (const [text, name] of [
    [status.privateIP ?? '', 'web-2'],
    [metadata.id, 'web-2'],
    [product.networkId, 'frontend'],
    ['10.0.0.0/24', 'frontend'],
  ] as const) {
    await page.goto(`${product.base}/console${place}/images`);
    await page.getByRole('heading', { name: 'Images' }).waitFor();
    const palette = await search(page, text);
    // Other test files have the same addresses in other organizations. Those of the page come first.
    await palette
      .getByRole('option', { name: new RegExp(name) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }
});

it('resources of other projects and organizations are found, without a request for each letter', async () => {
  const { api, organizationId, secondaryProjectId } = product;
  const { regionId = '', flavorId = '', imageId = '' } = product.credentials;
  const other = { organizationId, projectId: secondaryProjectId };
  const { metadata: network } = await dataOf(
    api.region.POST('/api/v2/networks', {
      body: { metadata: { name: 'remote' }, spec: { ...other, regionId, prefix: '10.99.0.0/24', dnsNameservers: [] } },
    }),
  );
  await createInstances(api, ['far-away'], { ...other, networkId: network.id, flavorId, imageId });
  await api.region.POST('/api/v2/sshcertificateauthorities', {
    body: {
      metadata: { name: 'far-staff' },
      spec: { ...other, publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPGucQ1EVSwciWRrynJwJVdFEGn+inrVPM8OPvvu1kIG' },
    },
  });
  const page = await product.open(`${place}/images`);
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  const lists: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (searchParams.has('limit')) lists.push(`${pathname} ${searchParams.get('organizationID') ?? 'all'}`);
  });
  const palette = await search(page, '');
  await palette.getByRole('combobox').pressSequentially('far-away');
  await palette.getByRole('option', { name: /^far-away.*research/ }).waitFor();
  await palette.getByRole('combobox').fill('far-staff');
  await palette.getByRole('option', { name: /^far-staff.*research/ }).waitFor();
  // Each kind once for the organization, and once for all others; groups only for the organization.
  expect(new Set(lists).size).toBe(lists.length);
  expect(lists).toHaveLength(13);
  await palette.getByRole('option').first().click();
  await page.getByRole('heading', { name: 'far-staff' }).waitFor();
  // The demo belongs to another organization.
  const demo = await search(page, 'trainer');
  await demo.getByRole('option', { name: /^trainer/ }).waitFor();
  await checked(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'trainer' }).waitFor();
  const images = await search(page, 'debian-13-amd64');
  await images
    .getByRole('option', { name: /^debian-13-amd64/ })
    .first()
    .click();
  await page
    .getByRole('row', { name: /^debian-13-amd64/ })
    .first()
    .waitFor();
});

it('the service finds what is beyond the first pages of a long list, and the palette says when too much matches', async () => {
  const page = await product.open(`${place}/images`);
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  // Each page of the list says that there is another one. The service searches as always.
  const more = { continue: 'more' };
  await page.route(/\/api\/v2\/networks\?/, async (route) => {
    const { searchParams } = new URL(route.request().url());
    if (!searchParams.has('limit')) return route.continue();
    if (!searchParams.has('search')) return route.fulfill({ json: [], headers: more });
    const response = await route.fetch();
    const isLong = searchParams.get('search') === 'front';
    return route.fulfill({ response, headers: { ...response.headers(), ...(isLong ? more : {}) } });
  });
  const palette = await search(page, 'front');
  const found = palette.getByRole('option', { name: /^frontend/ }).first();
  const hint = palette.getByText('More than 500 resources of a kind match. Write more of the name.');
  await found.waitFor();
  await hint.waitFor();
  await checked(page);
  await palette.getByRole('combobox').fill('frontend');
  await hint.waitFor({ state: 'hidden' });
  await found.click();
  await page.getByRole('heading', { name: 'frontend', exact: true }).waitFor();
});

it('people, groups, service accounts, login providers, regions and storage classes are found, by Enter and by click', async () => {
  const { api, organizationId: organizationID, organizationName } = product;
  const params = { path: { organizationID } };
  const person = `paula@${organizationName}.example.com`;
  await api.identity.POST('/api/v1/organizations/{organizationID}/users', {
    params,
    body: { spec: { subject: person, state: 'active', groupIDs: [] } },
  });
  await api.identity.POST('/api/v1/organizations/{organizationID}/serviceaccounts', {
    params,
    body: { metadata: { name: 'palette-robot' }, spec: { groupIDs: [] } },
  });
  await api.identity.POST('/api/v1/organizations/{organizationID}/oauth2providers', {
    params,
    body: { metadata: { name: 'palette-login' }, spec: { issuer: 'https://login.example.com', clientID: 'unikorn' } },
  });
  const [storageClass] = await dataOf(api.region.GET('/api/v2/filestorageclasses'));
  const page = await product.open(`${place}/images`);
  for (const [name, kind, title] of [
    [person, 'People', 'People'],
    ['auditors', 'Groups', 'Groups'],
    ['palette-robot', 'Service accounts', 'Service accounts'],
    ['palette-login', 'Login providers', 'Login providers'],
    ['north', 'Regions', 'north'],
    [storageClass?.metadata.name ?? '', 'Storage classes', 'Storage classes'],
  ] as const) {
    const opened = page.getByRole('heading', { name: title, exact: true });
    for (const way of ['click', 'Enter'] as const) {
      await page.goto(`${product.base}/console${place}/images`);
      await page.getByRole('heading', { name: 'Images' }).waitFor();
      const palette = await search(page, `${name} ${kind}`);
      const option = palette.getByRole('option', { name: `${name} ${kind}` }).first();
      await option.waitFor();
      if (way === 'click') await option.click();
      else await page.keyboard.press('Enter');
      await opened.waitFor();
      if (title === kind)
        await page
          .getByRole('row', { name: new RegExp(`^${name}`) })
          .first()
          .waitFor();
    }
  }
  await checked(page);
});

it('the palette asks for nothing that the user may not list', async () => {
  const { api, organizationId: organizationID, organizationName, groupIds } = product;
  const email = `reader@${organizationName}.example.com`;
  await api.identity.POST('/api/v1/organizations/{organizationID}/users', {
    params: { path: { organizationID } },
    body: { spec: { subject: email, state: 'active', groupIDs: [groupIds.readers] } },
  });
  const { password = '' } = await dataOf(api.identity.POST('/api/v1/passwords', { body: { subject: email } }));
  const page = await product.open(`${place}/images`, { email, password });
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  const palette = await search(page, 'frontend');
  await palette.getByRole('option', { name: /^frontend/ }).waitFor();
  expect(asked).toContain('networks');
  for (const list of ['users', 'groups', 'serviceaccounts', 'oauth2providers', 'filestorageclasses'])
    expect(asked).not.toContain(list);
});

it('the command for a page is copied', async () => {
  const { metadata } = await instanceNamed('web-2');
  const page = await product.open(`${place}/instances/${metadata.id}/history`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('heading', { name: 'web-2' }).waitFor();
  const palette = await search(page, 'copy command');
  await page.keyboard.press('Enter');
  await palette.getByRole('option', { name: /^Copied/ }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `npx unikorn instance history ${metadata.id} --organization ${product.organizationName} --project website`,
  );
});

it('verbs of other resources are there, too', async () => {
  const page = await product.open(`${place}/networks/${product.networkId}`);
  await page.getByRole('heading', { name: 'frontend' }).waitFor();
  const palette = await search(page, 'delete');
  await palette.getByText('Actions on frontend').waitFor();
  await palette.getByRole('option', { name: /^Delete.*in use by/ }).waitFor();
  await palette.getByRole('combobox').fill('change');
  await palette.getByRole('option', { name: 'Change', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Change frontend' }).waitFor();
});
