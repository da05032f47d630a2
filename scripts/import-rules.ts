import { readdirSync } from 'node:fs';

import type { Config } from 'eslint/config';

/**
 * The import rule of the architecture: core ← identity ← region ← compute ← unikorn.
 * A package may import those to its left; a service only through its `client/`; a storage engine only in the
 * composition root. A client shows no stored kinds, so that each service can have its own store.
 * Clients are separate: sdk ← cli ← unikorn, and sdk ← console ← unikorn. They only know the API of the services.
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
  message: 'Only the composition root chooses a storage engine; take a Store instead.',
};

const kindsInClient: Restriction = {
  regex: '^\\.\\./kinds(/|$)',
  message: 'A client only shows the wire format of its service. Other packages must not read its stored kinds.',
};

/** The service of the used object stores its references. Instances are not used by other objects. */
const referencesOfOthers: Restriction = {
  regex: '^@unikorn/core/references$',
  allowImportNames: ['Holder'],
  message: 'Region and identity store what instances use; list it with their clients.',
};

const randomness = ['default', 'randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'webcrypto'];

const realEffects = ['', 'node:'].flatMap((prefix) => [
  { name: `${prefix}timers`, message: 'Use the timers of World.' },
  { name: `${prefix}timers/promises`, message: 'Use the timers of World.' },
  { name: `${prefix}perf_hooks`, message: 'Use the clock of World.' },
  { name: `${prefix}crypto`, importNames: randomness, message: 'Use the randomness of World.' },
]);

/** Possible depths of folders below a provider's own folder. */
const providerDepths = [0, 1, 2, 3, 4];

/** The restriction for a file this many folders below the folder of its provider. */
export function beyondProvider(depth: number): Restriction {
  return {
    regex: `^(\\.\\./){${depth + 1}}(?!\\.\\./(provider|network)/)`,
    message:
      'A provider may only import the provider interface (provider/) and address arithmetic (network/), so that it can be written without knowing region or another provider.',
  };
}

const clients = { sdk: ['sdk'], cli: ['sdk', 'cli'], console: ['sdk', 'console'] } as const;

const clientNames = ['sdk', 'cli', 'console'] as const satisfies readonly (keyof typeof clients)[];

const ofClients: Restriction = {
  regex: `^@unikorn/(${Object.keys(clients).join('|')})(/|$)`,
  message: 'A service must not import its clients.',
};

/** For all files of a layer, including tests. */
function restrictionsOf(layer: (typeof layers)[number]): Restriction[] {
  const right = layers.slice(layers.indexOf(layer) + 1).map((other) => ({
    regex: other === 'unikorn' ? '^unikorn(/|$)' : `^@unikorn/${other}(/|$)`,
    message: `${layer} is to the left of ${other} (${layers.join(' ← ')}) and must not import it.`,
  }));
  const acrossFolders = { regex: '^(\\.\\./)+(packages/|[a-z]+/src/)', message: 'Import another package by its name.' };
  return [...right, acrossFolders, ...(layer === 'unikorn' ? [] : [ofClients])];
}

/** A test may start a whole service to its left, with a storage engine; production code may not. */
function productionRestrictionsOf(layer: (typeof layers)[number]): Restriction[] {
  if (layer === 'unikorn') return restrictionsOf(layer);
  const left = layers
    .slice(0, layers.indexOf(layer))
    .filter((other) => services.has(other))
    .map((other) => ({
      regex: `^@unikorn/${other}(?!/client(/|$))(/|$)`,
      message: `${layer} may import ${other} only through @unikorn/${other}/client.`,
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
    ...importsOfNouns(),
  ];
}

function importsOfClients(tests: readonly string[]): Config[] {
  const elsewhere: Restriction = { regex: '^node:', message: 'The SDK also runs in browsers.' };
  return clientNames.map((client) => ({
    name: `imports of ${client}`,
    files: [`packages/${client}/src/**/*.{ts,tsx}`],
    ignores: [...tests],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [ofServices(client), ...(client === 'sdk' ? [elsewhere] : [])],
        },
      ],
    },
  }));
}

/** The folders of the console that every page may use. The others are nouns, which do not know each other. */
const sharedInConsole = ['build', 'catalog', 'live', 'parts', 'server', 'session', 'shell', 'words'];

const consoleSources = new URL('../packages/console/src/', import.meta.url);

/** A noun of the console uses the shared folders, and never the insides of another noun. */
function importsOfNouns(): Config[] {
  const folders = readdirSync(consoleSources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const nouns = folders.filter((name) => !sharedInConsole.includes(name));
  return folders
    .filter((folder) => !['build', 'server'].includes(folder))
    .map((folder) => ({
      name: `imports of the console's ${folder}`,
      files: [`packages/console/src/${folder}/**/*.{ts,tsx}`],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              ofServices('console'),
              {
                regex: `^(\\.\\./)+(${['server', 'build', ...nouns.filter((noun) => noun !== folder)].join('|')})/`,
                message: 'Nouns of the console do not know each other: put what both need into parts/ or catalog/.',
              },
              { regex: '^node:', message: 'This runs in a browser.' },
            ],
          },
        ],
      },
    }));
}

function ofServices(client: keyof typeof clients): Restriction {
  return {
    regex: `^(@unikorn/(?!(${clients[client].join('|')})(/|$))|unikorn(/|$))`,
    message: `${client} is a client of the API and must not import a service.`,
  };
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
