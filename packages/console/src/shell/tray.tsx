import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';

import { ApiError } from '@unikorn/sdk';

import { Button, IconButton, Spinner } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { words } from '../words/index.ts';
import { clearFinishedWork, dismissWork, updateWork, useWork, type Work } from './work.ts';

/** The work that this user asked for. Closing an entry stops following it, not the work. */
export function Tray() {
  const works = useWork();
  const running = works.filter(({ state }) => state === 'running');
  return (
    <Popover.Root>
      {running.map((work) => (
        <Follower key={work.id} work={work} />
      ))}
      <Popover.Trigger
        aria-label={`${words.shell.work}: ${running.length}`}
        className="flex h-8 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-hover hover:text-text"
      >
        {running.length > 0 ? <Spinner /> : <Icon name="work" />}
        {running.length > 0 && <span className="tabular">{running.length}</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup className="w-80 max-w-[calc(100vw-1rem)] rounded-lg bg-raised shadow-pop">
            <div className="flex min-h-11 items-center justify-between border-b border-line ps-3 pe-2">
              <Popover.Title className="font-semibold">{words.shell.work}</Popover.Title>
              {works.length > running.length && (
                <Button kind="quiet" onClick={clearFinishedWork}>
                  {words.shell.workClear}
                </Button>
              )}
            </div>
            {works.length === 0 && <p className="p-3 text-muted">{words.shell.workEmpty}</p>}
            <ul className="max-h-96 overflow-y-auto">
              {works.toReversed().map((work) => (
                <Row key={work.id} work={work} />
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Row({ work }: { readonly work: Work }) {
  return (
    <li className="flex items-start gap-2 border-b border-line px-3 py-2 last:border-b-0">
      <span
        className={`mt-0.5 ${work.state === 'failed' ? 'text-bad' : work.state === 'done' ? 'text-good' : 'text-busy'}`}
      >
        {work.state === 'running' ? <Spinner /> : <Icon name={work.state === 'done' ? 'check' : 'warning'} />}
      </span>
      <div className="min-w-0 flex-1">
        <Link to={work.page} className="font-medium hover:underline">
          {work.title}
        </Link>
        {work.message !== undefined && (
          <p lang="en" className="text-sm text-muted">
            {work.message}
          </p>
        )}
        <p className="text-sm text-muted">
          <Time at={work.since} />
        </p>
      </div>
      <IconButton
        label={words.shell.workDismiss(work.title)}
        className="size-6!"
        onClick={() => {
          dismissWork(work.id);
        }}
      >
        <Icon name="cross" className="size-3.5" />
      </IconButton>
    </li>
  );
}

/** Asks how far the work is. A stream for each would take all connections of the browser. */
function Follower({ work }: { readonly work: Work }) {
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: ['work', work.id],
    queryFn: async ({ signal }) => {
      const { data: body } = await api[work.service].untyped.send('GET', work.path, { signal });
      return body;
    },
    refetchInterval: 2_000,
    retry: false,
  });
  useEffect(() => {
    const gone = error instanceof ApiError && error.status === 404;
    if (gone) {
      updateWork(work.id, { state: work.goal === 'gone' ? 'done' : 'failed' });
      return;
    }
    const { status, message } = progressOf(data);
    if (status === 'error') updateWork(work.id, { state: 'failed', ...(message === undefined ? {} : { message }) });
    else if (status === 'provisioned' && work.goal === 'ready') updateWork(work.id, { state: 'done' });
    else if (message !== undefined && message !== work.message) updateWork(work.id, { state: 'running', message });
  }, [data, error, work]);
  return null;
}

function progressOf(body: unknown): { readonly status: string | undefined; readonly message: string | undefined } {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const within = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const metadata = within(body, 'metadata');
  return {
    status: text(within(metadata, 'provisioningStatus')),
    message: text(within(within(metadata, 'provisioningStatusDetail'), 'message')),
  };
}
