import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const dist = join(import.meta.dirname, '../../packages/console/dist');
const kB = 1000;

function compressed(file: string): number {
  return statSync(join(dist, `${file}.gz`)).size;
}

it('the first page loads at most 200 kB of compressed script and 20 kB of style, and no other part is larger than 150 kB', () => {
  const index = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = [...index.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  );
  const sum = (ending: string) =>
    first.filter((file) => file.endsWith(ending)).reduce((total, file) => total + compressed(file), 0);
  expect(first.length).toBeGreaterThan(0);
  expect(sum('.js')).toBeLessThanOrEqual(200 * kB);
  expect(sum('.css')).toBeLessThanOrEqual(20 * kB);
  const lazy = readdirSync(join(dist, 'assets'))
    .filter((file) => file.endsWith('.js') && !first.includes(`assets/${file}`))
    .filter((file) => compressed(`assets/${file}`) > 150 * kB);
  expect(lazy).toEqual([]);
});

it('the themes differ in colours only, so that everything else is checked in one of them', () => {
  const styles = readdirSync(join(dist, 'assets'))
    .filter((file) => file.endsWith('.css'))
    .map((file) => readFileSync(join(dist, 'assets', file), 'utf8'))
    .join('');
  const [, dark = ''] = /:root\[data-theme=dark\]\{([^}]*)\}/.exec(styles) ?? [];
  const others = dark.split(';').filter((each) => !/^(--c-|--shadow-|color-scheme:|--lightningcss-)/.test(each));
  expect(dark).toContain('--c-page:');
  expect(others).toEqual([]);
  expect(styles.match(/data-theme|prefers-color-scheme/g)).toHaveLength(1);
});
