// Builds the pages of the console: `npm run build:console`, and the first start of the server in a checkout.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';

import { isCurrent } from './source-hash.ts';

// Under a test, the libraries would be built for development, which is larger and slower.
process.env['NODE_ENV'] = 'production';
// The server answers requests at the same time, and has precedence.
setPriority(19);
for (const end of ['disconnect', 'SIGTERM'])
  process.on(end, () => {
    process.exit(1);
  });

const workspace = join(import.meta.dirname, '../../../..');

function tell(step: string): void {
  if (process.send) process.send(step);
  else process.stderr.write(`console: ${step}\n`);
}

if (!(await isCurrent())) {
  if (!existsSync(join(workspace, 'node_modules/vite'))) {
    tell('installing the tools that build it');
    // `npm start` installs only what the server needs. Every other command first installs the tools.
    execFileSync(process.execPath, [join(workspace, 'scripts/run.mjs'), 'node', '--version'], { stdio: 'inherit' });
  }
  const { buildConsole } = await import('./build.ts');
  await buildConsole(tell);
}
// An open channel to the server would keep this process alive.
process.exit(0);
