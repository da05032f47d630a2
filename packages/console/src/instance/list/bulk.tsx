import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';

import type { Instance } from '@unikorn/sdk';

import { limits } from '../../limits.ts';
import { Button, Spinner } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { askable, useActionsOfAny } from '../../session/actions.ts';
import { useApi } from '../../session/context.tsx';
import { offerUndo, type Restoration } from '../../shell/undo.ts';
import { useVerbs, type Verb } from '../../shell/verbs.tsx';
import { count, number, words } from '../../words/index.ts';
import { askedAbout, useDelete, usePower } from '../api.ts';
import { changeReversibly, protection, tagging } from '../reversible.ts';
import { editedTags, type TagEdit } from '../../parts/tag-edit.ts';

const texts = words.instance.bulk;

const BulkTagDialog = lazy(async () => ({ default: (await import('../tag-dialogs.tsx')).BulkTagDialog }));

const bulkActions = ['start', 'stop', 'reboot', 'tag', 'protect', 'unprotect', 'delete'] as const;
type BulkAction = (typeof bulkActions)[number];

/** The drawing of each action, and its name in the list of allowed actions. */
const facts: Readonly<Record<BulkAction, { readonly icon: IconName; readonly allowed: string }>> = {
  start: { icon: 'play', allowed: 'start' },
  stop: { icon: 'stop', allowed: 'stop' },
  reboot: { icon: 'restart', allowed: 'softreboot' },
  tag: { icon: 'tag', allowed: 'update' },
  protect: { icon: 'lock', allowed: 'update' },
  unprotect: { icon: 'lock', allowed: 'update' },
  delete: { icon: 'trash', allowed: 'delete' },
};

interface Result {
  readonly instance: Instance;
  readonly error?: Error;
}

interface Run {
  readonly action: BulkAction;
  readonly targets: readonly Instance[];
  /** The tags of the action `tag`. */
  readonly edit: TagEdit;
}

const noEdit: TagEdit = { set: [], remove: [] };

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
  /** What the run and its repetitions changed, and how it is taken back. */
  const [undoable, setUndoable] = useState<readonly Restoration[]>([]);
  const act = useAction();
  const against = useActionsOfAny(askable(instances, stateOf, limits.askedSelection).map(askedAbout));
  const run = useMutation({
    mutationFn: async ({ action, targets, edit }: Run) => {
      setResults([]);
      await inParallel(targets, async (instance) => {
        const result: Result = await act(action, instance, edit).then(
          (restoration) => {
            if (restoration) setUndoable((before) => [...before, restoration]);
            return { instance };
          },
          (error: unknown) => ({ instance, error: error instanceof Error ? error : new Error(String(error)) }),
        );
        setResults((before = []) => [...before, result]);
      });
    },
  });
  const begin = (action: BulkAction, targets: readonly Instance[], edit = noEdit) => {
    setAsked(undefined);
    run.mutate({ action, targets, edit });
  };
  const verbs: readonly Verb[] = bulkActions.map((action) => ({
    key: action,
    title: texts.actions[action],
    icon: facts[action].icon,
    danger: action === 'delete',
    reason: against(facts[action].allowed) ?? refused(action === 'delete' ? 'delete' : 'update'),
    run: () => {
      if (action === 'start' || action === 'protect' || action === 'unprotect') begin(action, instances);
      else setAsked(action);
    },
  }));
  useVerbs(selectionText(instances.length), instances.length === 0 ? [] : verbs);
  if (instances.length === 0 && results === undefined) return null;
  const failed = (results ?? []).filter(({ error }) => error);
  const close = () => {
    if (run.variables) offerUndoOf(run.variables.action, undoable);
    setUndoable([]);
    setResults(undefined);
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
          {verbs.map(({ key, title, danger, reason, run: begin }) => (
            <Button key={key} kind="quiet" className={danger ? 'text-bad!' : ''} reason={reason} onClick={begin}>
              {title}
            </Button>
          ))}
          <Button kind="quiet" onClick={onClear}>
            {words.parts.clearSelection}
          </Button>
        </div>
      )}
      {asked === 'tag' && (
        <Suspense>
          <BulkTagDialog
            instances={instances}
            onClose={() => {
              setAsked(undefined);
            }}
            onApply={(edit) => {
              begin('tag', instances, edit);
            }}
          />
        </Suspense>
      )}
      {asked && asked !== 'tag' && (
        <Confirm
          open
          onClose={() => {
            setAsked(undefined);
          }}
          title={texts.title(texts.actions[asked], instances.length)}
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
          onClose={close}
          title={texts.results(texts.actions[run.variables.action])}
          actions={
            <>
              {failed.length > 0 && !run.isPending && (
                <Button
                  onClick={() => {
                    begin(
                      run.variables.action,
                      failed.map(({ instance }) => instance),
                      run.variables.edit,
                    );
                  }}
                >
                  {texts.retryFailed}
                </Button>
              )}
              <Button kind="primary" onClick={close}>
                {words.parts.close}
              </Button>
            </>
          }
        >
          {/* Screen readers wait for the end: every result would be said otherwise. */}
          <p role="status" aria-busy={run.isPending} className="text-muted">
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

/** What decides which actions the service allows. */
function stateOf({ metadata, spec, status }: Instance): string {
  return JSON.stringify([
    metadata.projectId,
    metadata.provisioningStatus,
    metadata.healthStatus,
    spec.deletionProtection,
    status.regionId,
    status.powerState,
    status.replacement?.action,
    status.rebootingSince !== undefined,
  ]);
}

function selectionText(size: number): string {
  return count(size, words.instance.one, words.instance.many);
}

/** Offers to undo what can be undone, once the user has seen the results. */
function offerUndoOf(action: BulkAction, restorations: readonly Restoration[]): void {
  const changed = selectionText(restorations.length);
  offerUndo(
    action === 'tag'
      ? words.instance.tagging.doneMany(changed)
      : words.instance.done.protections(changed, action === 'protect'),
    restorations,
  );
}

function useAction(): (action: BulkAction, instance: Instance, edit: TagEdit) => Promise<Restoration | undefined> {
  const api = useApi();
  const power = usePower();
  const remove = useDelete();
  return async (action, instance, edit) => {
    switch (action) {
      case 'start':
      case 'stop':
      case 'reboot':
        await power.mutateAsync({ instance, action });
        return undefined;
      case 'tag':
        return changeReversibly(api, instance, tagging, (before) => editedTags(before, edit));
      case 'protect':
      case 'unprotect':
        return changeReversibly(api, instance, protection, () => action === 'protect');
      case 'delete':
        await remove.mutateAsync(instance);
        return undefined;
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
