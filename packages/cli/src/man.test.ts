import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { visible } from './command-tree.ts';
import { exitCodes } from './exit-codes.ts';
import { programOf } from './index.ts';
import { manPages } from './man.ts';
import { fakeTerminal } from './testing/product.ts';
import { optionsOf, pathOf } from './usage.ts';

const program = await programOf(fakeTerminal(), { version: '1.2.3' });
const pages = manPages(program, { version: '1.2.3', date: '2026-11-17' });

/** The text of a page, as a reader sees it. */
function shown(file: string): string {
  const content = pages.find((page) => page.file === file)?.content ?? '';
  return content
    .replace(/\\f[BIR]/g, '')
    .replaceAll('\\-', '-')
    .replaceAll('\\(dq', '"')
    .replaceAll('\\e', '\\');
}

const isInstalled = (checker: string) => spawnSync(checker, ['--version'], { stdio: 'ignore' }).error === undefined;

describe('the manual', () => {
  it('has a page about the program, with all commands, options, variables and exit codes', () => {
    const page = shown('unikorn.1');
    expect(page).toMatch(/^\.TH UNIKORN 1 2026-11-17 "unikorn 1\.2\.3" Unikorn\n\.SH "NAME"\nunikorn - a multi-tenant/);
    for (const command of visible(program)) {
      expect(page).toContain(`.TP\n${command.name()}\n`);
      expect(page).toContain(`unikorn-${command.name()}(1)`);
    }
    for (const { flags } of optionsOf(program)) expect(page).toContain(`.TP\n${flags}\n`);
    for (const { code, meaning } of Object.values(exitCodes)) expect(page).toContain(`.TP\n${code}\n${meaning}\n`);
    expect(page).toContain('UNIKORN_PROJECT');
  });

  it.each(visible(program).map((command) => ({ command, name: command.name() })))(
    'has a page about $name, with each verb and option',
    ({ command, name }) => {
      const page = shown(`unikorn-${name}.1`);
      const described = (each: Command) => {
        expect(page).toContain(pathOf(each));
        for (const { flags } of optionsOf(each)) expect(page).toContain(`.TP\n${flags}\n`);
      };
      described(command);
      visible(command).forEach(described);
      expect(page).toMatch(/\.SH "SEE ALSO"\nunikorn\(1\)\n$/);
    },
  );

  it('is plain ASCII, and every line that begins like a request is one', () => {
    for (const { file, content } of pages) {
      expect(content, file).toMatch(/^[\n -~]*$/);
      const requests = content.match(/^[.'].*/gm) ?? [];
      for (const request of requests) expect(request, file).toMatch(/^\.(TH|SH|SS|TP|PP|EX|EE|br)( |$)/);
    }
  });

  it.each([
    { checker: 'mandoc', args: ['-Tlint', '-Wwarning'] },
    { checker: 'groff', args: ['-man', '-ww', '-z', '-Tutf8'] },
  ])('has no mistakes that $checker finds', async ({ checker, args }) => {
    if (!isInstalled(checker)) return;
    const folder = await mkdtemp(join(tmpdir(), 'unikorn-man-'));
    for (const { file, content } of pages) await writeFile(join(folder, file), content);
    const files = pages.map(({ file }) => file);
    const { stdout, stderr } = spawnSync(checker, [...args, ...files], { cwd: folder, encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect(`${stdout}${stderr}`).toBe('');
  });
});
