import { useParams } from '@tanstack/react-router';

import type { RegionRead } from '@unikorn/sdk';

import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { Button } from '../../parts/button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { DetailSkeleton, Skeleton } from '../../parts/skeleton.tsx';
import { ProblemPage } from '../../parts/problem-page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Switch } from '../../parts/slider.tsx';
import { Badge } from '../../parts/status.tsx';
import { useRights } from '../../session/rights.ts';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { AsOf, RefreshProblem } from '../refreshed.tsx';
import { regionCondition } from '../region/condition.ts';
import { RegionTabs } from '../region/detail.tsx';
import { useSimulation, useTurn, type Knobs } from '../region/queries.ts';
import { KnobForm } from './knob-form.tsx';
import { presets } from './knobs.ts';
import { SimulatedInstances } from './instances.tsx';

const texts = platformWords.simulation;
const from = '/platform/regions/$id/simulation';

/** The behaviour of a simulated region, beside the instances that it affects. */
export function SimulationPage() {
  const { id } = useParams({ from });
  const live = useLive('regions', {});
  const region = live.byId.get(id);
  const failure = failureOf(live);
  if (failure) return <ProblemPage error={failure} />;
  if (region?.spec.type === 'simulated') return <Simulation region={region} />;
  return live.freshness === 'loading' ? (
    <DetailSkeleton tabs sections={[[9], [5, 3]]} columns="xl:grid-cols-[minmax(0,1fr)_26rem]" />
  ) : (
    <Page title={platformWords.regions.title}>
      <p className="text-muted">{region ? texts.notSimulated : platformWords.regions.notFound}</p>
    </Page>
  );
}

function Simulation({ region }: { readonly region: RegionRead }) {
  const { id, name } = region.metadata;
  const query = useSimulation(id);
  const { data } = query;
  const condition = regionCondition(region, data);
  const rights = useRights(undefined);
  const reason = rights.mayGlobally('region:regions/simulation', 'update') ? undefined : words.parts.missingRight;
  return (
    <Page
      title={texts.title(name)}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={<AsOf {...query} />}
    >
      <RegionTabs region={region} />
      <RefreshProblem {...query} />
      {!data && !query.error && <Skeleton />}
      {data && (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
          <div className="flex min-w-0 flex-col gap-4 max-xl:order-2">
            <KnobForm id={id} name={name} saved={data} reason={reason} />
          </div>
          <div className="flex min-w-0 flex-col gap-4 xl:sticky xl:top-16">
            <Service id={id} saved={data} reason={reason} />
            <SimulatedInstances region={region} reason={reason} />
          </div>
        </div>
      )}
    </Page>
  );
}

/** What changes with one click: the switch and the presets. */
function Service({
  id,
  saved,
  reason,
}: {
  readonly id: string;
  readonly saved: Knobs;
  readonly reason: string | undefined;
}) {
  const { mutate, isPending, variables, error } = useTurn(id);
  const up = saved.service === 'up';
  return (
    <Section title={texts.presets}>
      <div className="flex flex-col gap-4">
        <Switch
          label={texts.service}
          text={up ? texts.serviceUp : texts.serviceDown}
          on={up}
          busy={isPending}
          reason={reason}
          onChange={(on) => {
            mutate({ service: on ? 'up' : 'down' });
          }}
        />
        <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-1">
          {(['down', 'slow', 'lossy', 'reset'] as const).map((preset) => (
            <li key={preset} className="grid grid-cols-[5rem_1fr] items-center gap-3">
              <Button
                reason={reason}
                busy={isPending && variables === presets[preset]}
                onClick={() => {
                  mutate(presets[preset]);
                }}
              >
                {texts.presetNames[preset]}
              </Button>
              <span className="text-sm text-muted">{texts.presetTexts[preset]}</span>
            </li>
          ))}
        </ul>
        {error && <Problem error={error} />}
      </div>
    </Section>
  );
}
