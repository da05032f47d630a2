import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';

import { checked, shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let page: Page;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

beforeEach(async () => {
  page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/networks`);
});

const form = () => page.getByRole('dialog', { name: 'Create network' });
const name = () => form().getByRole('textbox', { name: 'Name', exact: true });
const question = () => form().getByText('Discard what you entered?');

async function begin(): Promise<void> {
  await page.getByRole('button', { name: 'Create network' }).first().click();
  await form().waitFor();
}

/** A draft that the service accepts. */
async function fill(text: string, prefix: string): Promise<void> {
  await name().fill(text);
  await form().getByLabel('Region').selectOption({ label: 'north' });
  await form().getByLabel('Prefix').fill(prefix);
}

/** The writes that the page sends from now on. */
function writes(): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/v2/')) sent.push(request.method());
  });
  return sent;
}

it('a form is not lost by Escape, by a click beside it, or by the back button', async () => {
  await begin();
  await name().fill('draft');
  const beside = () => page.mouse.click(5, 400);
  for (const leave of [() => page.keyboard.press('Escape'), beside, () => page.goBack()]) {
    await leave();
    await question().waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Keep editing');
    await page.keyboard.press('Enter');
    await question().waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('draft');
  }
  await page.keyboard.press('Escape');
  await question().waitFor();
  await checked(page);
  await form().getByRole('button', { name: 'Discard' }).click();
  await form().waitFor({ state: 'hidden' });
});

it('a form without input closes at once, and gives the focus back', async () => {
  await begin();
  await page.keyboard.press('Escape');
  await form().waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Create network');
  await begin();
  await page.mouse.click(5, 400);
  await form().waitFor({ state: 'hidden' });
});

it('Enter in an incomplete form, and a press on its button, say what is missing', async () => {
  await begin();
  await name().press('Enter');
  await page.getByText('Name: required').waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Create');
  await page.keyboard.press('Escape');
  await name().fill('draft');
  // As on a touch screen, where no pointer rests on the button.
  await form().getByRole('button', { name: 'Create', exact: true }).dispatchEvent('click');
  await page.getByText('Region: required').waitFor();
});

it('the browser asks before it loads a page again on which something was written', async () => {
  await page.goto(`${product.base}/console/o/${product.organizationId}/p/${product.projectId}/instances/new`);
  await page.getByLabel('Description').fill('not in the address');
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.accept();
  await reloaded;
});

it('a token that is shown once is not lost by the back button, or by loading the page again', async () => {
  await page.goto(`${product.base}/console/o/${product.organizationId}/service-accounts`);
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('robot');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Token of robot' });
  const token = await shown.getByLabel('Token', { exact: true }).innerText();
  const address = page.url();
  await page.goBack();
  await page.goBack();
  page.once('dialog', (question) => void question.dismiss());
  await page.evaluate('location.reload()');
  expect(await shown.getByLabel('Token', { exact: true }).innerText()).toBe(token);
  expect(page.url()).toBe(address);
  await shown.getByRole('button', { name: 'I stored the token' }).click();
  await shown.waitFor({ state: 'hidden' });
});

it('a double click sends one request, and Enter twice too', async () => {
  const sent = writes();
  await begin();
  await fill('clicked-twice', '10.60.0.0/24');
  await form().getByRole('button', { name: 'Create', exact: true }).dblclick();
  await page.getByRole('row', { name: /clicked-twice/ }).waitFor();
  await begin();
  await fill('entered-twice', '10.61.0.0/24');
  await name().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /entered-twice/ }).waitFor();
  expect(sent).toEqual(['POST', 'POST']);
});

it('a form waits for the outcome, and a refusal is in view', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route('**/region/api/v2/networks', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await answered;
    return route.continue();
  });
  await begin();
  await fill('overlong', '10.62.0.1/24');
  await form().getByRole('button', { name: 'Create', exact: true }).click();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  answer(undefined);
  const refusal = form().getByRole('alert');
  await refusal.waitFor();
  const [box, window] = [await refusal.boundingBox(), await form().boundingBox()];
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((window?.y ?? 0) + (window?.height ?? 0));
  expect(await refusal.innerText()).toContain('Prefix: 10.62.0.1/24 has host bits set');
  expect(await name().inputValue()).toBe('overlong');
});

it('Enter confirms a deletion once the name is typed', async () => {
  await begin();
  await fill('short-lived', '10.63.0.0/24');
  await form().getByRole('button', { name: 'Create', exact: true }).click();
  const row = page.getByRole('row', { name: /short-lived/ });
  await row.getByText('ready').waitFor();
  await page.getByRole('button', { name: 'Actions for short-lived' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete short-lived' });
  const sent = writes();
  await dialog.getByRole('textbox').fill('short');
  await page.keyboard.press('Enter');
  await dialog.getByRole('textbox').fill('short-lived');
  await page.keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });
  expect(sent).toEqual(['DELETE']);
});

it('a form keeps its input when its object is deleted elsewhere, and says so at the end', async () => {
  const { organizationId, projectId, credentials, api } = product;
  const { metadata } = await dataOf(
    api.region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'vanishing' },
        spec: {
          organizationId,
          projectId,
          regionId: credentials.regionId ?? '',
          prefix: '10.64.0.0/24',
          dnsNameservers: [],
        },
      },
    }),
  );
  await page.getByRole('button', { name: 'Actions for vanishing' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const changed = page.getByRole('dialog', { name: 'Change vanishing' });
  await changed.getByLabel('Description').fill('half written');
  await api.region.DELETE('/api/v2/networks/{networkID}', { params: { path: { networkID: metadata.id } } });
  await page.locator(`[data-row="${metadata.id}"]`).waitFor({ state: 'detached' });
  await changed.getByRole('button', { name: 'Save' }).click();
  await changed.getByRole('alert').waitFor();
  expect(await changed.getByLabel('Description').inputValue()).toBe('half written');
});
