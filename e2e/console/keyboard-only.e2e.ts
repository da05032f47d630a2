import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let list: string;

beforeAll(async () => {
  product = await shareConsole();
  list = `/o/${product.organizationId}/p/${product.projectId}/instances`;
});

afterAll(() => product.stop());

/** Presses Tab until the element has the focus, as somebody without a pointer does. The focus must be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) === 0) continue;
    expect(await target.and(page.locator(':focus-visible')).count()).toBe(1);
    return;
  }
  throw new Error(`the keyboard does not reach ${target.toString()}`);
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Chooses an entry of a menu of the browser by typing its first letters. */
async function choose(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text, { delay: 10 });
  await expect.poll(() => target.locator('option:checked').textContent()).toContain(text);
}

it('an instance is created, watched and reached with the keyboard alone', async () => {
  const page = await product.open(list);
  await press(page, page.getByRole('link', { name: 'Create instance' }));
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('typed');
  // The first flavor gets the focus, and the arrows choose.
  const flavors = page.getByRole('radiogroup', { name: 'Flavor' }).getByRole('radio');
  await tabTo(page, flavors.first());
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 20; presses += 1) {
    if (await page.getByRole('radio', { name: /sim-standard-4/ }).isChecked()) break;
    await page.keyboard.press('ArrowDown');
  }
  expect(await page.getByRole('radio', { name: /sim-standard-4/ }).isChecked()).toBe(true);
  await choose(page, page.getByRole('combobox', { name: 'Image' }), 'debian-13');
  const create = page.getByRole('button', { name: 'Create instance' });
  await expect.poll(() => create.getAttribute('aria-disabled')).toBeNull();
  await press(page, create);
  await page.getByRole('heading', { name: 'typed' }).waitFor();
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  await press(page, page.getByRole('link', { name: 'Console', exact: true }));
  await page.getByRole('region').first().waitFor();
});

it('the disk of an instance is replaced with the keyboard alone, after its name is typed', async () => {
  const page = await product.open(list);
  // The row is opened from the table: j and k move, Enter opens.
  await tabTo(page, page.getByRole('link', { name: 'web-1' }));
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /web-/ }).waitFor();
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await press(page, page.getByRole('button', { name: 'Change' }));
  const dialog = page.getByRole('dialog', { name: `Change ${name}` });
  await choose(page, dialog.getByLabel('Image'), 'ubuntu-24.04-gpu-amd64');
  await tabTo(page, dialog.getByLabel(`Type ${name} to confirm`));
  await page.keyboard.type(name);
  await press(page, dialog.getByRole('button', { name: 'Apply' }));
  await dialog.waitFor({ state: 'hidden' });
  // The focus is back where it was.
  await page.getByRole('button', { name: 'Change' }).and(page.locator(':focus')).waitFor();
  await page.getByRole('definition').filter({ hasText: 'ubuntu-24.04-gpu-amd64' }).waitFor({ timeout: 60_000 });
});

it('the filter, the palette and the list of shortcuts are one key away', async () => {
  const page = await product.open(list);
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('web-2');
  await expect.poll(() => page.getByRole('link', { name: 'web-1' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.waitFor();
  await page.keyboard.type('web-1');
  // Other test files have instances with this name in other organizations. That of the page comes first.
  await palette.getByText('web-1').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('networks');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.waitFor();
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('heading', { name: 'Instances' }).waitFor();
});
