import { fileURLToPath } from 'node:url';

import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

import * as identityClient from '@unikorn/identity/client';
import * as identityKinds from '@unikorn/identity/kinds';
import * as regionClient from '@unikorn/region/client';
import * as regionKinds from '@unikorn/region/kinds';

import { beyondProvider } from './import-rules.ts';

// One file of each package that need not exist, linted as if it did.
const probe = (layer: string) => `packages/${layer}/src/probe.ts`;
const production = 'packages/core/src/limits.ts';
const test = 'packages/core/src/world/virtual.test.ts';
const adapter = 'packages/core/src/world/system.ts';

const eslint = new ESLint({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  flags: ['unstable_native_nodejs_ts_config'],
  overrideConfig: {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['core', 'identity', 'region', 'compute', 'unikorn', 'sdk', 'cli'].map(probe),
        },
      },
    },
  },
});

async function lint(filePath: string, text: string): Promise<{ readonly rule: string; readonly line: number }[]> {
  const [result] = await eslint.lintText(text, { filePath });
  if (!result) throw new Error(`${filePath} is not linted`);
  return result.messages.map((message) => ({ rule: message.ruleId ?? message.message, line: message.line }));
}

/**
 * Those of the lines that the import rule and the bans of nondeterminism report; all in one go, because a program is
 * typed anew for each text.
 */
async function restricted(filePath: string, lines: readonly string[]): Promise<string[]> {
  const reported = (await lint(filePath, lines.join('\n'))).filter(
    ({ rule }) => !rule.startsWith('@typescript-eslint/'),
  );
  expect(reported.filter(({ rule }) => !rule.startsWith('no-restricted-'))).toEqual([]);
  return lines.filter((_, index) => reported.some(({ line }) => line === index + 1));
}

const importing = (name: string) => `export * from '${name}';`;

describe.each([
  {
    layer: 'core',
    forbidden: ['@unikorn/identity/client', 'unikorn', './store/sqlite/index.ts', '../store/sqlite/index.ts'],
    allowed: ['./store/index.ts', '../store/index.ts', './store.ts', 'typebox'],
  },
  {
    layer: 'identity',
    forbidden: [
      '@unikorn/region/client',
      '@unikorn/compute',
      '@unikorn/core/store/sqlite',
      '../../region/src/client/index.ts',
    ],
    allowed: ['@unikorn/core/store', '@unikorn/core/kinds', './client/index.ts'],
  },
  {
    layer: 'region',
    forbidden: [
      '@unikorn/compute/client',
      '@unikorn/identity',
      '@unikorn/identity/handlers',
      '@unikorn/identity/clientele',
      '../../identity/src/handlers/index.ts',
      '../../../packages/identity/src/client/index.ts',
      '@unikorn/core/store/kubernetes',
    ],
    allowed: [
      '@unikorn/identity/client',
      '@unikorn/identity/client/http',
      './handlers/identity/index.ts',
      '../identity/index.ts',
    ],
  },
  {
    layer: 'compute',
    forbidden: [
      'unikorn/configuration',
      '@unikorn/region/kinds',
      '@unikorn/identity/kinds',
      '@unikorn/core/store/sqlite',
      '@unikorn/sdk',
    ],
    allowed: ['@unikorn/region/client', '@unikorn/identity/client', '@unikorn/core/controller'],
  },
  {
    layer: 'unikorn',
    forbidden: ['../../compute/src/service.ts'],
    allowed: ['@unikorn/compute/service', '@unikorn/region/service', '@unikorn/core/store/sqlite', '@unikorn/cli'],
  },
  {
    layer: 'sdk',
    forbidden: ['@unikorn/core/errors', '@unikorn/compute/client', '@unikorn/cli', 'unikorn', 'node:fs'],
    allowed: ['./service.ts', 'openapi-fetch'],
  },
  {
    layer: 'cli',
    forbidden: ['@unikorn/core/errors', '@unikorn/identity/client', 'unikorn'],
    allowed: ['@unikorn/sdk', './session.ts', 'node:fs', 'commander'],
  },
])('what $layer imports', ({ layer, forbidden, allowed }) => {
  it('is reported exactly where it goes against the architecture', async () => {
    expect(await restricted(probe(layer), [...forbidden, ...allowed].map(importing))).toEqual(forbidden.map(importing));
  });
});

describe('the store of a service', () => {
  const isKind = (value: unknown) => typeof value === 'object' && value !== null && 'plural' in value;
  const kindsOf = (exported: object) =>
    Object.entries(exported).flatMap(([name, value]) => (isKind(value) ? [name] : []));

  it.each([
    ['identity', identityClient],
    ['region', regionClient],
  ])('is not shown by the client of %s', (_, client) => {
    expect(kindsOf(client)).toEqual([]);
  });

  it('is known to tests by its kinds', () => {
    expect(kindsOf(identityKinds)).toEqual(expect.arrayContaining(['Allocation', 'Project']));
    expect(kindsOf(regionKinds)).toEqual(expect.arrayContaining(['Identity', 'Network', 'Server']));
  });

  it.each(['identity', 'region'])('cannot come into the client of %s', async (service) => {
    const lines = ['../kinds/index.ts', '../kinds/common.ts', '../api/common.ts', './kinds.ts'].map(importing);
    expect(await restricted(`packages/${service}/src/client/index.ts`, lines)).toEqual(lines.slice(0, 2));
  });

  it('is not read by region or compute, nor are the references in it', async () => {
    const kinds = ['@unikorn/identity/kinds', '@unikorn/identity'].map(importing);
    expect(await restricted(probe('region'), kinds)).toEqual(kinds);
    const references = [
      "export { ReferenceRecord } from '@unikorn/core/references';",
      "import { referencesOfUser } from '@unikorn/core/references';",
      "export * from '@unikorn/core/references';",
    ];
    const allowed = "export type { Holder } from '@unikorn/core/references';";
    expect(await restricted(probe('compute'), [...references, allowed])).toEqual(references);
    expect(await restricted(probe('region'), references)).toEqual([]);
  });

  it('can be looked at by a test of a service that uses it, by a bench and by the composition root', async () => {
    const kinds = ['@unikorn/identity/kinds', '@unikorn/region/kinds'].map(importing);
    expect(await restricted('packages/compute/src/service.test.ts', kinds)).toEqual([]);
    expect(await restricted('bench/src/references.ts', kinds)).toEqual([]);
    expect(await restricted(probe('unikorn'), kinds)).toEqual([]);
  });
});

it('a test may choose an engine, but no package to the right', async () => {
  const lines = ['../store/sqlite/index.ts', '@unikorn/core/store/sqlite', '@unikorn/region/client'].map(importing);
  expect(await restricted(test, lines)).toEqual([importing('@unikorn/region/client')]);
});

it('a provider sees what a provider is, and nothing else of region', async () => {
  const lines = [
    '../../provider/index.ts',
    '../../network/index.ts',
    './cloud.ts',
    '../../kinds/index.ts',
    '../../handlers/endpoints.ts',
    '@unikorn/identity',
  ].map(importing);
  expect(await restricted('packages/region/src/providers/simulated/cloud.ts', lines)).toEqual(lines.slice(3));
});

it('the same holds in the folders of a provider, however deep, and for other providers', () => {
  const up = (levels: number, path: string) => `${'../'.repeat(levels)}${path}`;
  for (const depth of [0, 1, 2, 3]) {
    const paths = [
      up(depth + 2, 'provider/index.ts'),
      depth === 0 ? './own.ts' : up(depth, 'own.ts'),
      up(depth + 2, 'kinds/index.ts'),
      up(depth + 1, 'kubernetes/nodes.ts'),
    ];
    const forbidden = new RegExp(beyondProvider(depth).regex);
    expect(paths.filter((path) => forbidden.test(path))).toEqual(paths.slice(2));
  }
});

it('a test may start a whole service to its left', async () => {
  const lines = ['@unikorn/identity/testing', '@unikorn/compute'].map(importing);
  expect(await restricted('packages/region/src/service.test.ts', lines)).toEqual(lines.slice(1));
});

describe('what is not deterministic', () => {
  const uses = [
    'void Date.now();',
    'void new Date();',
    'void Date();',
    'void Math.random();',
    'void process.hrtime.bigint();',
    'setTimeout(() => 0, 1);',
    'setInterval(() => 0, 1);',
    'setImmediate(() => 0);',
    'void performance.now();',
    'void crypto.randomUUID();',
    "void fetch('http://localhost');",
    "void globalThis.fetch('http://localhost');",
    "export { randomUUID } from 'node:crypto';",
    "import whole from 'node:crypto';",
    "import * as all from 'node:crypto';",
    "export { setTimeout } from 'node:timers/promises';",
    "export { setTimeout as later } from 'timers';",
  ];
  const deterministic = [
    "void new Date('2026-01-01T00:00:00Z');",
    "void Date.parse('2026-01-01T00:00:00Z');",
    "export { createHash } from 'node:crypto';",
  ];

  it.each([production, test])('is reported in %s, and what follows from its input is not', async (file) => {
    expect(await restricted(file, [...uses, ...deterministic])).toEqual(uses);
  });

  it('is the business of an adapter', async () => {
    expect(await restricted(adapter, uses)).toEqual([]);
  });
});

describe('what the compiler cannot see', () => {
  const rulesBroken = async (file: string, text: string) => (await lint(file, `${text}\n`)).map(({ rule }) => rule);

  it.each([production, test])('a promise nobody waits for is reported in %s', async (file) => {
    expect(await rulesBroken(file, 'export function start(): void {\n  Promise.resolve();\n}')).toEqual([
      '@typescript-eslint/no-floating-promises',
    ]);
  });

  it('a cast is reported, except in a test', async () => {
    const text = 'export function text(value: unknown): string {\n  return value as string;\n}';
    expect(await rulesBroken(production, text)).toEqual(['@typescript-eslint/consistent-type-assertions']);
    expect(await rulesBroken(test, text)).toEqual([]);
  });

  it.each([
    ['@typescript-eslint/no-non-null-assertion', 'export const first = (list: string[]): string => list[0]!;'],
    ['@typescript-eslint/no-explicit-any', 'export const same = (value: any): unknown => value;'],
  ])('%s', async (rule, text) => {
    expect(await rulesBroken(production, text)).toEqual([rule]);
  });
});
