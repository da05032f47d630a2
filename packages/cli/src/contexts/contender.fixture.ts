import { setTimeout as sleep } from 'node:timers/promises';

import { changeContexts } from './file.ts';

// A process that adds contexts to the file in the given folder, as fast as it can.
const [configDirectory = '', mark = '', count = '0'] = process.argv.slice(2);
const terminal = {
  configDirectory,
  signal: new AbortController().signal,
  sleep: (duration_ms: number) => sleep(duration_ms),
};
for (let number = 0; number < Number(count); number += 1) {
  await changeContexts(terminal, ({ contexts, ...rest }) => ({
    ...rest,
    contexts: { ...contexts, [`${mark}${number}`]: { endpoints: 'http://127.0.0.1', auth: { token: 't' } } },
  }));
}
