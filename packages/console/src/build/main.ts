// Builds the pages of the console: `npm run build:console`, and the first start of the server in a checkout.
import { setPriority } from 'node:os';

import { buildConsole } from './build.ts';
import { isCurrent } from './source-hash.ts';

// Under a test, the libraries would be built for development, which is larger and slower.
process.env['NODE_ENV'] = 'production';
// The server answers requests at the same time, and has precedence.
setPriority(19);
for (const end of ['disconnect', 'SIGTERM'])
  process.on(end, () => {
    process.exit(1);
  });

if (!(await isCurrent()))
  await buildConsole((step) => {
    if (process.send) process.send(step);
    else process.stderr.write(`console: ${step}\n`);
  });
// An open channel to the server would keep this process alive.
process.exit(0);
