import { useQuery } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { CopyButton } from '../../parts/copy.tsx';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useApi } from '../../session/context.tsx';
import { words } from '../../words/index.ts';
import { useInstance } from './instance.tsx';

const texts = words.instance;

/** The output of the serial console. It stays when the instance stops. */
export function InstanceConsole() {
  const { metadata } = useInstance();
  const { compute } = useApi();
  const { data, error, isPending } = useQuery({
    queryKey: ['consoleoutput', metadata.id],
    queryFn: () =>
      dataOf(
        compute.GET('/api/v2/instances/{instanceID}/consoleoutput', { params: { path: { instanceID: metadata.id } } }),
      ),
    refetchInterval: 2_000,
    // A machine that is being deleted has no console any more.
    enabled: metadata.provisioningStatus !== 'deprovisioning',
  });
  const contents = data?.contents ?? '';
  return (
    <Section title={texts.consoleOutput} actions={<CopyButton text={contents} what={texts.consoleOutput} />} flush>
      {error && !data && (
        <div className="p-4">
          <Problem error={error} />
        </div>
      )}
      {(data ?? isPending) && (
        <pre
          tabIndex={0}
          aria-label={texts.consoleOutput}
          className="max-h-[60vh] min-h-40 overflow-auto bg-sunken p-4 font-mono text-sm whitespace-pre-wrap"
        >
          {contents === '' ? texts.consoleEmpty : contents}
        </pre>
      )}
    </Section>
  );
}
