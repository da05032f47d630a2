import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';

import { dataOf } from '@unikorn/sdk';

import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Section } from '../../parts/page.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useActions } from '../../session/actions.ts';
import { useApi } from '../../session/context.tsx';
import { words } from '../../words/index.ts';
import { askedAbout } from '../api.ts';
import { useInstance } from './instance.tsx';

const texts = words.instance;

/** The library of terminals is large, and only this page needs it. */
const InstanceTerminal = lazy(async () => ({ default: (await import('../console/terminal.tsx')).InstanceTerminal }));

/** The serial console: a terminal, and what the machine has written. Nothing is read before the user asks for it. */
export function InstanceConsole() {
  const instance = useInstance();
  const { id, name } = instance.metadata;
  const against = useActions(askedAbout(instance));
  return (
    <>
      <Suspense fallback={<Skeleton />}>
        <InstanceTerminal key={id} id={id} name={name} reason={against('terminal')} />
      </Suspense>
      <ConsoleOutput id={id} reason={against('consoleoutput')} />
    </>
  );
}

function ConsoleOutput({ id, reason }: { readonly id: string; readonly reason: string | undefined }) {
  const { compute } = useApi();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      dataOf(compute.GET('/api/v2/instances/{instanceID}/consoleoutput', { params: { path: { instanceID: id } } })),
  });
  return (
    <Section
      title={texts.consoleOutput}
      actions={
        <span className="flex items-center gap-2">
          {data && <CopyButton text={data.contents} what={texts.consoleOutput} />}
          <Button
            busy={isPending}
            reason={reason}
            onClick={() => {
              mutate();
            }}
          >
            {data ? texts.readAgain : texts.readOutput}
          </Button>
        </span>
      }
      flush
    >
      {error && (
        <div className="p-4">
          <Problem error={error} />
        </div>
      )}
      {data ? (
        <pre
          tabIndex={0}
          aria-label={texts.consoleOutput}
          className="max-h-[60vh] min-h-40 overflow-auto bg-sunken p-4 font-mono text-sm whitespace-pre-wrap"
        >
          {data.contents === '' ? texts.consoleEmpty : data.contents}
        </pre>
      ) : (
        <p className="p-4 text-muted">{texts.consoleOutputHint}</p>
      )}
    </Section>
  );
}
