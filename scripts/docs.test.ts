import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
const pages = files.filter((file) => file.endsWith('.md'));

interface Link {
  /** The page that has it. */
  readonly page: string;
  /** Where it leads, seen from the root of the repository. */
  readonly target: string;
  readonly anchor: string | undefined;
}

/** Code is shown as it is, whatever it looks like. */
function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

function linksOf(page: string): readonly Link[] {
  const found = withoutCode(readFileSync(join(root, page), 'utf8')).matchAll(/\]\(([^()\s]+)\)/g);
  return [...found]
    .map(([, url = '']) => url)
    .filter((url) => !/^[a-z]+:/.test(url))
    .map((url) => {
      const [path = '', anchor] = url.split('#');
      return { page, target: path === '' ? page : relative(root, resolve(root, dirname(page), path)), anchor };
    });
}

/** As the sites that show the pages make them of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function problemOf({ page, target, anchor }: Link): readonly string[] {
  if (!existsSync(join(root, target))) return [`${page} links to ${target}, which is not there`];
  const named = statSync(join(root, target)).isDirectory() ? join(target, 'README.md') : target;
  if (anchor === undefined) return [];
  return existsSync(join(root, named)) && anchorsOf(named).has(anchor)
    ? []
    : [`${page} links to #${anchor} of ${target}, which has no such heading`];
}

it('every link of every page leads to something, anchors and pictures included', () => {
  const links = pages.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(100);
  expect(links.flatMap(problemOf)).toEqual([]);
});

it('every file of the documentation can be reached from its index or from the README', () => {
  const reached = new Set(['README.md', 'docs/README.md']);
  for (const page of reached)
    for (const { target } of pages.includes(page) ? linksOf(page) : [])
      for (const file of files) if (file === target || dirname(file) === target) reached.add(file);
  expect(files.filter((file) => file.startsWith('docs/') && !reached.has(file))).toEqual([]);
});
