import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** What a reader has around the snippets. */
const surroundings = `
import type { Instance } from '@unikorn/sdk';
declare global {
  const token: string;
  const [organizationId, projectId, networkId, flavorId, imageId]: readonly [string, string, string, string, string];
  const session: { readonly accessToken: string };
  const page: { readonly signal: AbortSignal };
  const list: { clear(): void; remove(id: string): void; show(instance: Instance): void };
}
`;

function snippetsOf(page: string): readonly string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
}

/** The mistakes that the compiler finds in these texts, each compiled as a file of the SDK. */
function mistakesIn(snippets: readonly string[]): readonly string[] {
  const config: unknown = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => readFileSync(file, 'utf8')).config;
  const { options } = ts.parseJsonConfigFileContent({ ...Object(config), include: [], files: [] }, ts.sys, root);
  const virtual = new Map(
    [...snippets, surroundings].map((text, index) => [join(import.meta.dirname, `snippet-${index}.ts`), text]),
  );
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram(
    [...virtual.keys()],
    { ...options, noEmit: true, noUnusedLocals: false },
    {
      ...host,
      fileExists: (file) => virtual.has(file) || host.fileExists(file),
      readFile: (file) => virtual.get(file) ?? host.readFile(file),
      getSourceFile: (file, ...more) => {
        const text = virtual.get(file);
        return text === undefined
          ? host.getSourceFile(file, ...more)
          : ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
      },
    },
  );
  return [...virtual.keys()].flatMap((file) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}

it('the snippets of the guide and of the README compile', { timeout: 120_000 }, () => {
  const snippets = [...snippetsOf('docs/guides/sdk.md'), ...snippetsOf('packages/sdk/README.md')];
  expect(snippets.length).toBeGreaterThan(2);
  expect(mistakesIn(snippets)).toEqual([]);
});

it('a mistake in a snippet is found', { timeout: 120_000 }, () => {
  expect(mistakesIn(["import { connect } from '@unikorn/sdk';\nconnect({ endpoint: 'x' });\n"])).toHaveLength(1);
});
