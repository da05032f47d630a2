import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { importRules } from './scripts/import-rules.ts';

const tests = ['**/*.test.{ts,tsx}', '**/*.fixture.ts', '**/testing/**'];

/** The only places that touch the real clock, randomness, timers and network; everything else asks its World. */
const adapters = [
  'packages/core/src/world/system.ts',
  'packages/sdk/src/platform.ts',
  'packages/cli/src/terminal.ts',
  'packages/console/src/platform.ts',
  'bench/**',
  'scripts/**',
  'examples/*/src/main.ts',
];

const nondeterminism =
  'comes in through World (packages/core/src/world), so that a test can run hours in milliseconds and replay any failure';

const clockAndRandomness = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: `Date.now ${nondeterminism}`,
  },
  { selector: "CallExpression[callee.name='Date']", message: `Date() ${nondeterminism}` },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: `new Date() ${nondeterminism}` },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: `Math.random ${nondeterminism}`,
  },
  {
    selector: "MemberExpression[object.name='process'][property.name='hrtime']",
    message: `process.hrtime ${nondeterminism}`,
  },
];

const strayWait = {
  // The names of units, such as day_ms, say everything.
  selector:
    "Program > VariableDeclaration > VariableDeclarator[id.name=/^(?!day|hour|minute).*_(ms|s)$/]:not(:has(MemberExpression)):matches([init.type='Literal'], [init.type='BinaryExpression'])",
  message: 'put waits into limits.ts of the package, with the reason',
};

export default defineConfig(
  globalIgnores([
    '**/node_modules',
    'coverage',
    'dist',
    'packages/console/dist*',
    '.unikorn',
    'packages/sdk/src/generated',
  ]),
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      // `while (true)` is how a loop that only ends by return or abort reads best.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      eqeqeq: 'error',
      // Prettier keeps code within 120 columns; this does the same for comments. Examples of code stay on one line.
      'max-len': [
        'error',
        {
          code: 1000,
          comments: 120,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignorePattern: '@example|[;)}]$',
        },
      ],
      // Marked deprecated only to stand out; used for providers on a loopback address.
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: ['openid-client', 'oauth4webapi'].map((name) => ({
            from: 'package' as const,
            name: 'allowInsecureRequests',
            package: name,
          })),
        },
      ],
    },
  },
  {
    files: ['packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.ts'],
    ignores: tests,
    rules: {
      // A cast is a claim the compiler cannot check; parse or narrow instead.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      'no-console': 'error',
    },
  },
  {
    ignores: adapters,
    rules: {
      'no-restricted-globals': [
        'error',
        {
          globals: ['setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto', 'fetch'].map((name) => ({
            name,
            message: `${name} ${nondeterminism}`,
          })),
          checkGlobalObject: true,
        },
      ],
      'no-restricted-syntax': ['error', ...clockAndRandomness],
    },
  },
  {
    // Plain calls of a cloud, which tests make to judge the provider: what they read of an answer, they know.
    files: ['e2e/openstack/**'],
    rules: Object.fromEntries(
      ['assignment', 'member-access', 'call', 'return', 'argument'].map((use) => [
        `@typescript-eslint/no-unsafe-${use}`,
        'off',
      ]),
    ),
  },
  {
    ignores: [...adapters, ...tests, '**/limits.ts', '**/configuration.ts', 'e2e/**'],
    rules: { 'no-restricted-syntax': ['error', ...clockAndRandomness, strayWait] },
  },
  importRules({ adapters, tests }),
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', setTimeout: 'readonly', setInterval: 'readonly' },
    },
  },
);
