import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { Instance } from '@unikorn/sdk';

import { limits } from '../../limits.ts';
import { Button, Spinner } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { number, words } from '../../words/index.ts';
import { useDelete, usePower, useUpdate } from '../api.ts';

const texts = words.instance.bulk;

const bulkActions = ['start', 'stop', 'reboot', 'protect', 'unprotect', 'delete'] as const;
type BulkAction = (typeof bulkActions)[number];

interface Result {
  readonly instance: Instance;
  readonly error?: Error;
}

/** The actions on the selected instances, a few at a time, with the result of each. */
export function BulkActions({
  instances,
  refused,
  onClear,
}: {
  readonly instances: readonly Instance[];
  /** Why the user may not do something with instances. */
  readonly refused: (verb: 'update' | 'delete') => string | undefined;
  readonly onClear: () => void;
}) {
  const [asked, setAsked] = useState<BulkAction>();
  const [results, setResults] = useState<readonly Result[]>();
  const act = useAction();
  const run = useMutation({
    mutationFn: async ({ action, targets }: { readonly action: BulkAction; readonly targets: readonly Instance[] }) => {
      setResults([]);
      await inParallel(targets, async (instance) => {
        const result = await act(action, instance).then(
          () => ({ instance }),
          (error: unknown) => ({ instance, error: error instanceof Error ? error : new Error(String(error)) }),
        );
        setResults((before = []) => [...before, result]);
      });
    },
  });
  if (instances.length === 0 && results === undefined) return null;
  const failed = (results ?? []).filter(({ error }) => error);
  const begin = (action: BulkAction, targets: readonly Instance[]) => {
    setAsked(undefined);
    run.mutate({ action, targets });
  };
  return (
    <>
      {instances.length > 0 && (
        <div
          role="toolbar"
          aria-label={texts.label}
          className="sticky bottom-4 z-10 mx-auto flex max-w-full flex-wrap items-center gap-1 rounded-lg bg-raised px-3 py-2 shadow-pop"
        >
          <span className="pe-2 font-medium tabular">{words.parts.selected(number(instances.length))}</span>
          {bulkActions.map((action) => (
            <Button
              key={action}
              kind="quiet"
              className={action === 'delete' ? 'text-bad!' : ''}
              reason={refused(action === 'delete' ? 'delete' : 'update')}
              onClick={() => {
                if (action === 'stop' || action === 'reboot' || action === 'delete') setAsked(action);
                else begin(action, instances);
              }}
            >
              {texts.actions[action]}
            </Button>
          ))}
          <Button kind="quiet" onClick={onClear}>
            {words.parts.clearSelection}
          </Button>
        </div>
      )}
      {asked && (
        <Confirm
          open
          onClose={() => {
            setAsked(undefined);
          }}
          title={texts.title(texts.actions[asked], number(instances.length))}
          action={texts.actions[asked]}
          typed={String(instances.length)}
          danger={asked === 'delete'}
          busy={run.isPending}
          error={null}
          onConfirm={() => {
            begin(asked, instances);
          }}
        >
          <ul className="max-h-48 overflow-y-auto">
            {instances.map(({ metadata }) => (
              <li key={metadata.id}>{metadata.name}</li>
            ))}
          </ul>
        </Confirm>
      )}
      {results && run.variables && (
        <Dialog
          open
          onClose={() => {
            setResults(undefined);
          }}
          title={texts.results(texts.actions[run.variables.action])}
          actions={
            <>
              {failed.length > 0 && !run.isPending && (
                <Button
                  onClick={() => {
                    begin(
                      run.variables.action,
                      failed.map(({ instance }) => instance),
                    );
                  }}
                >
                  {texts.retryFailed}
                </Button>
              )}
              <Button
                kind="primary"
                onClick={() => {
                  setResults(undefined);
                }}
              >
                {words.parts.close}
              </Button>
            </>
          }
        >
          <p role="status" className="text-muted">
            {texts.summary(
              number(results.length - failed.length),
              number(failed.length),
              number(run.variables.targets.length),
            )}
          </p>
          <ul className="flex flex-col gap-1">
            {run.variables.targets.map((instance) => (
              <ResultRow
                key={instance.metadata.id}
                name={instance.metadata.name}
                result={results.find((each) => each.instance.metadata.id === instance.metadata.id)}
              />
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

function ResultRow({ name, result }: { readonly name: string; readonly result: Result | undefined }) {
  return (
    <li className="flex items-start gap-2">
      <span className={`mt-0.5 ${result?.error ? 'text-bad' : 'text-good'}`}>
        {result ? <Icon name={result.error ? 'warning' : 'check'} /> : <Spinner />}
      </span>
      <span className="min-w-0">
        <span className="font-medium">{name}</span>
        {result?.error && (
          <span lang="en" className="block text-bad">
            {result.error.message}
          </span>
        )}
      </span>
    </li>
  );
}

function useAction(): (action: BulkAction, instance: Instance) => Promise<void> {
  const power = usePower();
  const remove = useDelete();
  const update = useUpdate();
  return async (action, instance) => {
    switch (action) {
      case 'start':
      case 'stop':
      case 'reboot':
        await power.mutateAsync({ instance, action });
        break;
      case 'protect':
      case 'unprotect':
        await update.mutateAsync({ instance, change: { spec: { deletionProtection: action === 'protect' } } });
        break;
      case 'delete':
        await remove.mutateAsync(instance);
        break;
    }
  };
}

/** A few at a time: more would take all connections of the browser. */
async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limits.bulkRequests }, worker));
}
