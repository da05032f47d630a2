import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import { dataOf } from '@unikorn/sdk';

import { useFlavors, useImages } from '../../catalog/catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ChoiceField } from '../../parts/field.tsx';
import { Empty } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useApi } from '../../session/context.tsx';
import { useRights } from '../../session/rights.ts';
import { guideWords as texts } from '../../words/guide.ts';
import { words } from '../../words/index.ts';
import { useSimulations } from '../region/queries.ts';
import { smallestFit } from './choice.ts';

const from = '/platform/guided-minute';

/** Chooses the region, and everything that the new instance needs: a cloud that is down cannot be asked for it. */
export function Start() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const api = useApi();
  const rights = useRights(undefined);
  const { items } = useLive('regions', {});
  const simulated = items
    .filter(({ spec }) => spec.type === 'simulated')
    .toSorted((one, other) => one.metadata.name.localeCompare(other.metadata.name, 'en'));
  const simulations = useSimulations(simulated.map(({ metadata }) => metadata.id));
  const up = simulated.filter(({ metadata }) => simulations.get(metadata.id)?.service === 'up');
  const { data: networks = [], error } = useQuery({
    queryKey: ['networks'],
    queryFn: () => dataOf(api.region.GET('/api/v2/networks')),
  });
  const inRegion = (id: string) =>
    networks.filter(({ metadata, status }) => status.regionId === id && metadata.provisioningStatus === 'provisioned');
  const region =
    up.find(({ metadata }) => metadata.id === search.simulation) ??
    up.find(({ metadata }) => inRegion(metadata.id).length > 0) ??
    up[0];
  const choices = region ? inRegion(region.metadata.id) : [];
  const network = choices.find(({ metadata }) => metadata.id === search.network) ?? choices[0];
  const organization = network?.metadata.organizationId ?? '';
  const { data: flavors = [] } = useFlavors(organization, network ? (region?.metadata.id ?? '') : '');
  const { data: images = [] } = useImages(organization, network ? (region?.metadata.id ?? '') : '');
  const fit = smallestFit(flavors, images);
  const reason = !rights.mayGlobally('region:regions/simulation', 'update')
    ? words.parts.missingRight
    : !network
      ? texts.noNetwork
      : !fit
        ? texts.noImage
        : undefined;
  if (error) return <Problem error={error} />;
  if (simulated.length > 0 && simulations.size > 0 && [...simulations.values()].every((knobs) => !knobs)) return null;
  if (!region)
    return (
      <Empty
        icon="regions"
        title={texts.noRegion}
        action={
          <Link to="/platform/regions" className={buttonLook('primary')}>
            {words.shell.areas.regions}
          </Link>
        }
      >
        <p>{texts.noRegionText}</p>
      </Empty>
    );
  return (
    <section
      aria-label={texts.steps.start}
      className="flex flex-col gap-4 rounded-lg border border-accent bg-surface p-4 ring-1 ring-accent"
    >
      <h2 className="text-lg font-semibold">{texts.steps.start}</h2>
      <p className="max-w-2xl">{texts.startText}</p>
      <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
        <ChoiceField
          label={texts.region}
          value={region.metadata.id}
          choices={up.map(({ metadata }) => ({ value: metadata.id, label: metadata.name }))}
          onChange={(value) => void navigate({ search: { simulation: value }, replace: true, resetScroll: false })}
        />
        <ChoiceField
          label={texts.network}
          hint={texts.networkHint}
          value={network?.metadata.id ?? ''}
          {...(network ? {} : { empty: texts.noNetwork })}
          choices={choices.map(({ metadata, status }) => ({
            value: metadata.id,
            label: `${metadata.name} (${status.prefix})`,
          }))}
          onChange={(value) =>
            void navigate({
              search: { simulation: region.metadata.id, network: value },
              replace: true,
              resetScroll: false,
            })
          }
        />
      </div>
      <div>
        <Button
          kind="primary"
          reason={reason}
          onClick={() => {
            if (network && fit)
              void navigate({
                search: { simulation: region.metadata.id, network: network.metadata.id, ...fit, step: 'down' },
              });
          }}
        >
          {texts.begin}
        </Button>
      </div>
      <p className="max-w-2xl text-muted">
        <span className="font-medium text-text">{texts.lookAt}: </span>
        {texts.startLook}
      </p>
    </section>
  );
}
