import type { RegionRead } from '@unikorn/sdk';

import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/copy.tsx';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge, Status, type Tone } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { shellWord } from '../../parts/equivalent.ts';
import { Same } from '../../shell/same.tsx';
import { platformWords } from '../../words/platform.ts';
import { lackingOf, useCheck } from './queries.ts';

const texts = platformWords.regions;

const tones: Readonly<Record<'ok' | 'missing' | 'optional' | 'unknown', Tone>> = {
  ok: 'good',
  missing: 'bad',
  optional: 'warn',
  unknown: 'bad',
};

/** The result of the last check, in a row of the list. Only OpenStack regions have one. */
export function CheckWord({ region }: { readonly region: RegionRead }) {
  const { data, error } = useCheck(region.metadata.id);
  if (region.spec.type !== 'openstack') return <span className="text-muted">{texts.checkStates.none}</span>;
  if (error) return <Status tone="bad" word={texts.checkStates.failed} />;
  if (!data) return <Status tone="idle" word={texts.checkStates.unchecked} />;
  const lacking = lackingOf(data);
  return lacking === 0 ? (
    <Status tone="good" word={texts.checkStates.complete} />
  ) : (
    <Status tone="bad" word={texts.checkStates.lacking(lacking)} />
  );
}

/** Tries everything that a region needs from its cloud, and shows how to grant what is missing. */
export function CheckSection({ region, reason }: { readonly region: RegionRead; readonly reason: string | undefined }) {
  const { data, error, isFetching, refetch, dataUpdatedAt } = useCheck(region.metadata.id);
  return (
    <Section
      title={texts.checkTitle}
      actions={
        <Button
          busy={isFetching}
          reason={reason}
          onClick={() => {
            void refetch();
          }}
        >
          {data || error ? texts.checkAgain : texts.checkNow}
        </Button>
      }
    >
      <div className="flex flex-col gap-3" aria-live="polite">
        {!data && !error && <p className="text-muted">{isFetching ? texts.checkRunning : texts.checkText}</p>}
        {error && <Problem error={error} />}
        {data && (
          <>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">{texts.checkSummary(lackingOf(data), data.length)}</span>
              <span className="text-sm text-muted">
                {texts.checkedAt} <Time at={new Date(dataUpdatedAt).toISOString()} />
              </span>
            </p>
            <ul className="flex flex-col divide-y divide-line">
              {data.map(({ name, state, message, remedy }) => (
                <li key={name} className="grid gap-x-4 gap-y-1 py-2 sm:grid-cols-[6rem_1fr]">
                  <span>
                    <Badge tone={tones[state]}>{texts.checkResults[state]}</Badge>
                  </span>
                  <div className="flex min-w-0 flex-col gap-1" lang="en">
                    <p className="font-medium">{name}</p>
                    {message !== undefined && <p className="break-words text-muted">{message}</p>}
                    {remedy !== undefined && <Code label={texts.grant} text={remedy} wrap />}
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
        <Same
          command={`npx unikorn region check ${shellWord(region.metadata.name)}`}
          sent={{ method: 'POST', path: `/region/api/v2/regions/${region.metadata.id}/check` }}
        />
      </div>
    </Section>
  );
}
