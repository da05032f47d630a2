import type { Config } from 'eslint/config';

/**
 * The import rule of the architecture: core ← identity ← region ← compute ← unikorn.
 * A package sees those to its left; a service only through its `client/`; an engine only from the composition root.
 * A client shows no stored kinds, so that each service can have a store of its own.
 * Clients stand outside: sdk ← cli ← unikorn, and what they know of services is what those serve.
 */
const layers = ['core', 'identity', 'region', 'compute', 'unikorn'] as const;
const services = new Set<string>(['identity', 'region', 'compute']);

interface Restriction {
  readonly regex: string;
  readonly message: string;
  readonly allowImportNames?: string[];
}

const engines: Restriction = {
  regex: '^(@unikorn/core|\\.{1,2}(/\\.\\.)*)/store/(?!index)',
  message: 'Only the composition root chooses an engine; take a Store instead.',
};

const kindsInClient: Restriction = {
  regex: '^\\.\\./kinds(/|$)',
  message: 'A client shows what its service says on the wire. Nobody else reads its stored kinds.',
};

/** References are stored beside what is used, so by the service that has it. Instances are used by nothing. */
const referencesOfOthers: Restriction = {
  regex: '^@unikorn/core/references$',
  allowImportNames: ['Holder'],
  message: 'Region and identity store what instances use; list it with their clients.',
};

const randomness = ['default', 'randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'webcrypto'];

const realEffects = ['', 'node:'].flatMap((prefix) => [
  { name: `${prefix}timers`, message: 'Timers come in through World.' },
  { name: `${prefix}timers/promises`, message: 'Timers come in through World.' },
  { name: `${prefix}perf_hooks`, message: 'Time comes in through World.' },
  { name: `${prefix}crypto`, importNames: randomness, message: 'Randomness comes in through World.' },
]);

/** Folders that a provider may have below its own, each in the one before. */
const providerDepths = [0, 1, 2, 3, 4];

/** For a file so many folders below the folder of its provider. */
export function beyondProvider(depth: number): Restriction {
  return {
    regex: `^(\\.\\./){${depth + 1}}(?!\\.\\./(provider|network)/)`,
    message:
      'A provider sees only what a provider is (provider/) and address arithmetic (network/), so that any can be written without knowing region or another provider.',
  };
}

const clients = { sdk: ['sdk'], cli: ['sdk', 'cli'] } as const;

const ofClients: Restriction = {
  regex: `^@unikorn/(${Object.keys(clients).join('|')})(/|$)`,
  message: 'A service does not know its clients.',
};

/** For everybody in a layer, its tests included. */
function restrictionsOf(layer: (typeof layers)[number]): Restriction[] {
  const right = layers.slice(layers.indexOf(layer) + 1).map((other) => ({
    regex: other === 'unikorn' ? '^unikorn(/|$)' : `^@unikorn/${other}(/|$)`,
    message: `${layer} stands to the left of ${other} (${layers.join(' ← ')}) and must not know it.`,
  }));
  const acrossFolders = { regex: '^(\\.\\./)+(packages/|[a-z]+/src/)', message: 'Import another package by its name.' };
  return [...right, acrossFolders, ...(layer === 'unikorn' ? [] : [ofClients])];
}

/** A test may start the whole of a service to its left, on an engine; what it tests may not. */
function productionRestrictionsOf(layer: (typeof layers)[number]): Restriction[] {
  if (layer === 'unikorn') return restrictionsOf(layer);
  const left = layers
    .slice(0, layers.indexOf(layer))
    .filter((other) => services.has(other))
    .map((other) => ({
      regex: `^@unikorn/${other}(?!/client(/|$))(/|$)`,
      message: `${layer} sees ${other} only through @unikorn/${other}/client.`,
    }));
  return [...restrictionsOf(layer), ...left, engines, ...(layer === 'compute' ? [referencesOfOthers] : [])];
}

interface Exemptions {
  readonly adapters: readonly string[];
  readonly tests: readonly string[];
}

export function importRules({ adapters, tests }: Exemptions): Config[] {
  return [
    ...layers.flatMap((layer) => importsOf(layer, { adapters, tests })),
    ...importsOfProviders(tests),
    ...exportsOfServices(),
    ...importsOfClients(tests),
  ];
}

function importsOfClients(tests: readonly string[]): Config[] {
  const elsewhere: Restriction = { regex: '^node:', message: 'The SDK runs in browsers, too.' };
  return Object.entries(clients).map(([client, known]) => ({
    name: `imports of ${client}`,
    files: [`packages/${client}/src/**/*.ts`],
    ignores: [...tests],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(@unikorn/(?!(${known.join('|')})(/|$))|unikorn(/|$))`,
              message: `${client} is a client of the API and knows no service.`,
            },
            ...(client === 'sdk' ? [elsewhere] : []),
          ],
        },
      ],
    },
  }));
}

/** Of the files by which a service is known to others. */
function exportsOfServices(): Config[] {
  return layers
    .filter((layer) => services.has(layer))
    .map((layer) => ({
      name: `exports of ${layer}'s client`,
      files: [`packages/${layer}/src/client/index.ts`],
      rules: {
        'no-restricted-imports': [
          'error',
          { paths: realEffects, patterns: [...productionRestrictionsOf(layer), kindsInClient] },
        ],
      },
    }));
}

function importsOfProviders(tests: readonly string[]): Config[] {
  return providerDepths.map((depth) => ({
    name: `imports of providers, ${depth} folders down`,
    files: [`packages/region/src/providers/*/${'*/'.repeat(depth)}*.ts`],
    ignores: [...tests],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: realEffects, patterns: [...productionRestrictionsOf('region'), beyondProvider(depth)] },
      ],
    },
  }));
}

function importsOf(layer: (typeof layers)[number], { adapters, tests }: Exemptions): Config[] {
  return [
    {
      name: `imports of ${layer}`,
      files: [`packages/${layer}/src/**/*.ts`],
      ignores: [...tests, ...adapters],
      rules: { 'no-restricted-imports': ['error', { paths: realEffects, patterns: productionRestrictionsOf(layer) }] },
    } satisfies Config,
    {
      name: `imports of ${layer}'s tests`,
      files: tests.map((pattern) => `packages/${layer}/src/${pattern}`),
      rules: {
        'no-restricted-imports': ['error', { paths: realEffects, patterns: restrictionsOf(layer) }],
      },
    } satisfies Config,
  ];
}
