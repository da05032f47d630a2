import type { Locator, Page } from 'playwright-core';

/** What stands for content that is not known yet. */
export function skeletonOf(page: Page): Locator {
  return page.getByRole('main').getByRole('status', { name: 'Loading…' });
}

/** Holds answers back until it is called. */
export async function held(page: Page, path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(path, async (route) => {
    await promise;
    await route.continue();
  });
  return () => {
    resolve(undefined);
  };
}

export async function placeOf(locator: Locator) {
  const { x = 0, y = 0, height = 0 } = (await locator.boundingBox()) ?? {};
  return { x: Math.round(x), y: Math.round(y), height: Math.round(height) };
}
