import { controllerLoads, dataOf, type ControllerLoad } from '@unikorn/sdk';

import { durationText } from '../output/duration.ts';
import { printRecords, type Records } from '../output/records.ts';
import { answersOf, demandComplete } from '../services.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import type { OperatorsOptions } from './options.ts';

const controllerRecords: Records<ControllerLoad> = {
  plural: 'controllers',
  handle: ({ name }) => name,
  columns: [
    { header: 'NAME', value: ({ name }) => name },
    { header: 'QUEUE', value: ({ queue }) => String(queue) },
    { header: 'DELAYED', value: ({ delayed }) => String(delayed) },
    { header: 'RUNNING', value: ({ running }) => String(running) },
    { header: 'RETRYING', value: ({ retrying }) => String(retrying) },
    { header: 'PARKED', value: ({ parked }) => String(parked) },
    {
      header: 'OLDEST',
      value: ({ queue, oldest_s }) => (queue === 0 ? '' : durationText(oldest_s * 1000)),
      key: ({ oldest_s }) => String(oldest_s),
    },
    { header: 'PROCESS', value: ({ process }) => process, wide: true, rank: 20 },
  ],
};

export async function listControllers(terminal: Terminal, options: OperatorsOptions): Promise<void> {
  const {
    unikorn: { identity, region, compute },
  } = await openSession(terminal, options);
  const { answers, silent } = await answersOf({
    identity: dataOf(identity.GET('/api/v1/controllers')),
    region: dataOf(region.GET('/api/v1/controllers')),
    compute: dataOf(compute.GET('/api/v1/controllers')),
  });
  const processes = [...new Map(answers.map((answer) => [answer.process, answer])).values()];
  // A service may run in several processes, of which one answers.
  terminal.stderr.write(
    `answered by ${processes.map(({ process }) => process).join(', ')}; other processes are not listed\n`,
  );
  await printRecords(controllerRecords, controllerLoads(processes), { terminal, options, document: processes });
  demandComplete({ silent }, 'controllers');
}
