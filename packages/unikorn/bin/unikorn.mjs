#!/usr/bin/env node
// `npx unikorn` in a checkout, on whatever Node it is called with.
process.argv.splice(2, 0, 'packages/unikorn/src/main.ts');
await import('../../../scripts/run.mjs');
