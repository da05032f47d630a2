import type { Saga } from '@unikorn/sdk';

import { closest } from '../closest.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../global-options.ts';
import { coloursFor, paintStatus } from '../output/colours.ts';
import { renderFacts } from '../output/describe.ts';
import { ageText } from '../output/duration.ts';
import { documentText } from '../output/print.ts';
import { printRecords, type Records } from '../output/records.ts';
import { openSession } from '../session.ts';
import { demandComplete } from '../services.ts';
import type { Terminal } from '../terminal.ts';
import type { OperatorsOptions } from './options.ts';
import { unfinishedSagas } from './unfinished.ts';

export function sagaRecords(now: Date): Records<Saga> {
  return {
    plural: 'sagas',
    handle: ({ id }) => id,
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'STATUS', value: ({ state }) => state, rank: 90 },
      { header: 'ID', value: ({ id }) => id, exact: true, wide: true, rank: 25 },
      { header: 'STEP', value: ({ step = '' }) => step },
      { header: 'ATTEMPTS', value: ({ attempts }) => String(attempts) },
      { header: 'NEXT-ATTEMPT', value: ({ nextAttemptTime = '' }) => nextAttemptTime, wide: true, rank: 20 },
      { header: 'PROCESS', value: ({ holder }) => holder, wide: true, rank: 20 },
      { header: 'MESSAGE', value: ({ message = '' }) => message, flows: true, rank: 60 },
      {
        header: 'AGE',
        value: ({ startedTime }) => ageText(startedTime, now),
        key: ({ startedTime }) => String(now.getTime() - Date.parse(startedTime)),
        rank: 45,
      },
    ],
  };
}

export async function listSagas(terminal: Terminal, options: OperatorsOptions): Promise<void> {
  const { unikorn } = await openSession(terminal, options);
  const { sagas, silent } = await unfinishedSagas(unikorn);
  await printRecords(sagaRecords(terminal.now()), sagas, { terminal, options, document: sagas });
  if (sagas.some(({ state }) => state === 'stuck'))
    terminal.stderr.write(
      'a stuck saga needs an operator: an undo keeps failing, or no running release knows the saga\n',
    );
  demandComplete({ silent }, 'sagas');
}

export async function getSaga(terminal: Terminal, options: GlobalOptions, name: string): Promise<void> {
  const { unikorn } = await openSession(terminal, options);
  const { sagas, silent } = await unfinishedSagas(unikorn);
  if (!sagas.some((each) => each.id === name || each.name === name)) demandComplete({ silent }, 'sagas');
  const saga = chosen(sagas, name);
  const { output } = options;
  const { stdout, env } = terminal;
  if (output === 'json' || output === 'yaml') stdout.write(await documentText(output, saga));
  else if (output !== undefined)
    await printRecords(sagaRecords(terminal.now()), [saga], { terminal, options, document: saga });
  else stdout.write(describeSaga(saga, terminal.now(), coloursFor(stdout, env)));
}

function describeSaga(saga: Saga, now: Date, colours: ReturnType<typeof coloursFor>): string {
  return renderFacts(
    [
      { header: 'NAME', texts: [saga.name] },
      { header: 'STATUS', texts: [paintStatus(colours, saga.state)] },
      { header: 'ID', texts: [saga.id] },
      { header: 'MESSAGE', texts: [saga.message ?? ''] },
      { header: 'ATTEMPTS', texts: [String(saga.attempts)] },
      { header: 'NEXT-ATTEMPT', texts: [saga.nextAttemptTime ?? ''] },
      { header: 'STARTED', texts: [`${saga.startedTime} (${ageText(saga.startedTime, now)} ago)`] },
      { header: 'PROCESS', texts: [saga.holder] },
      {
        header: 'STEPS',
        texts:
          saga.steps.length === 0
            ? ['this release does not know the saga, so its steps are not known']
            : saga.steps.map(({ name, state }) => `${name}: ${state}`),
      },
    ],
    colours,
  );
}

/** The saga with this id, or else the only one with this name. */
export function chosen(sagas: readonly Saga[], nameOrId: string): Saga {
  const found = sagas.filter(({ id }) => id === nameOrId);
  const [first, ...others] = found.length > 0 ? found : sagas.filter(({ name }) => name === nameOrId);
  if (!first) {
    const close = closest(
      nameOrId,
      sagas.map(({ name }) => name),
    );
    throw new Failure(
      'notFound',
      `there is no unfinished saga ${nameOrId}`,
      close.length > 0 ? `did you mean ${close.join(' or ')}?` : 'list the unfinished ones: unikorn saga list',
    );
  }
  if (others.length > 0)
    throw new Failure(
      'refused',
      `several sagas are called ${nameOrId}; use the id instead`,
      ...[first, ...others].map(({ id, state, startedTime }) => `  ${id}  ${state}  ${startedTime}`),
    );
  return first;
}
