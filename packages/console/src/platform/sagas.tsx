import { useQuery } from '@tanstack/react-query';

import { dataOf, sagasByUrgency, type Saga } from '@unikorn/sdk';

import { Identifier } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, Notice } from '../parts/page.tsx';
import { Status, type Tone } from '../parts/status.tsx';
import { Countdown, Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { platformWords } from '../words/platform.ts';
import { RefreshedList } from './refreshed.tsx';
import { serviceOf } from './saga-order.ts';

const texts = platformWords.sagas;
const stateWords: Readonly<Partial<Record<string, string>>> = texts.states;
const tones: Readonly<Partial<Record<string, Tone>>> = { stuck: 'bad', unwinding: 'warn', running: 'busy' };

const stepTones: Readonly<Record<Saga['steps'][number]['state'], Tone>> = {
  done: 'good',
  open: 'idle',
  failed: 'bad',
  undoing: 'warn',
  undone: 'idle',
  skipped: 'idle',
};

function stateWord({ state }: Saga): string {
  return stateWords[state] ?? state;
}

/** The unfinished sagas of the three services, the stuck ones first, read again while the page is visible. */
export function SagasPage() {
  const { identity, region, compute } = useApi();
  const state = useListState();
  const query = useQuery({
    queryKey: ['sagas'],
    queryFn: async (): Promise<readonly Saga[]> =>
      (
        await Promise.all([
          dataOf(identity.GET('/api/v1/sagas')),
          dataOf(region.GET('/api/v1/sagas')),
          dataOf(compute.GET('/api/v1/sagas')),
        ])
      ).flat(),
    refetchInterval: 3_000,
  });
  const { data } = query;
  const { dialog, id } = state.search;
  const chosen = data?.find((saga) => saga.id === id);
  return (
    <>
      <RefreshedList
        texts={texts}
        icon="sagas"
        state={state}
        query={query}
        rows={data && sagasByUrgency(data)}
        above={
          data?.some((saga) => saga.state === 'stuck') === true && (
            <Notice tone="warn">
              <p>{texts.stuckText}</p>
            </Notice>
          )
        }
        order=""
        groups={{
          all: texts.all,
          of: (saga) => saga.state,
          titleOf: (key) => stateWords[key] ?? key,
          always: Object.keys(stateWords),
        }}
        idOf={(saga) => saga.id}
        nameOf={({ name }) => name}
        textOf={(saga) => `${saga.name} ${saga.id} ${stateWord(saga)} ${saga.step ?? ''} ${saga.message ?? ''}`}
        onOpen={(saga) => {
          state.open('saga', saga.id);
        }}
        columns={[
          {
            key: 'saga',
            title: texts.saga,
            width: 'minmax(11rem, 2fr)',
            sort: ({ name }) => name,
            cell: (saga) => (
              <button
                type="button"
                className="rounded font-medium text-accent-text hover:underline"
                onClick={() => {
                  state.open('saga', saga.id);
                }}
              >
                {saga.name}
              </button>
            ),
          },
          {
            key: 'state',
            title: texts.state,
            sort: stateWord,
            cell: (saga) => <Status tone={tones[saga.state] ?? 'idle'} word={stateWord(saga)} />,
          },
          { key: 'service', title: texts.service, sort: serviceOf, cell: serviceOf },
          { key: 'step', title: texts.step, cell: ({ step }) => step ?? '–' },
          {
            key: 'attempts',
            labelled: true,
            title: texts.attempts,
            sort: ({ attempts }) => attempts,
            cell: ({ attempts }) => <span className="tabular">{attempts}</span>,
          },
          {
            key: 'next',
            labelled: true,
            title: texts.next,
            cell: ({ nextAttemptTime }) =>
              nextAttemptTime === undefined ? texts.noAttempt : <Countdown to={nextAttemptTime} />,
          },
          {
            key: 'started',
            title: texts.started,
            sort: ({ startedTime }) => -Date.parse(startedTime),
            cell: ({ startedTime }) => <Time at={startedTime} />,
          },
        ]}
      />
      {dialog === 'saga' && chosen && <SagaDialog saga={chosen} onClose={state.close} />}
    </>
  );
}

function SagaDialog({ saga, onClose }: { readonly saga: Saga; readonly onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={texts.detailTitle(saga.name)}>
      <Facts>
        <Fact name={texts.state}>
          <Status tone={tones[saga.state] ?? 'idle'} word={stateWord(saga)} />
        </Fact>
        <Fact name="Id">
          <Identifier id={saga.id} />
        </Fact>
        <Fact name={texts.started}>
          <Time at={saga.startedTime} />
        </Fact>
        <Fact name={texts.attempts}>{saga.attempts}</Fact>
        {saga.nextAttemptTime !== undefined && (
          <Fact name={texts.next}>
            <Countdown to={saga.nextAttemptTime} />
          </Fact>
        )}
        {saga.message !== undefined && (
          <Fact name={texts.message}>
            <span lang="en">{saga.message}</span>
          </Fact>
        )}
        <Fact name={texts.holder}>
          <Identifier id={saga.holder} what={texts.holder} />
        </Fact>
      </Facts>
      <h3 className="font-semibold">{texts.steps}</h3>
      {saga.steps.length === 0 && <p className="text-muted">{texts.stepsUnknown}</p>}
      <ol aria-label={texts.steps} className="flex flex-col">
        {saga.steps.map(({ name, state }, index) => (
          <li
            key={name}
            className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-b-0"
          >
            <span>
              <span className="inline-block w-6 text-muted tabular">{index + 1}.</span>
              {name}
            </span>
            <Status tone={stepTones[state]} word={texts.stepStates[state]} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
