import { useNavigate } from '@tanstack/react-router';

import type { RegionRead } from '@unikorn/sdk';

import { useLive } from '../../live/use-live.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useListState } from '../../parts/list-state.ts';
import { createdColumn, idOf, liveRows, nameColumn, nameOf } from '../../parts/rows.tsx';
import { Status } from '../../parts/status.tsx';
import { useRights } from '../../session/rights.ts';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { CheckWord } from './check.tsx';
import { regionCondition } from './condition.ts';
import { useSimulations } from './queries.ts';

const texts = platformWords.regions;

const pageOf = ({ metadata }: RegionRead) => `/platform/regions/${metadata.id}`;

/** The regions of the platform, live, with the state of their simulation. */
export function RegionsPage() {
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(undefined);
  const live = useLive('regions', {});
  const simulated = rights.mayGlobally('region:regions/simulation', 'read')
    ? live.items.filter(({ spec }) => spec.type === 'simulated').map(idOf)
    : [];
  const simulations = useSimulations(simulated);
  const condition = (region: RegionRead) => regionCondition(region, simulations.get(region.metadata.id));
  return (
    <ListPage
      texts={texts}
      icon="regions"
      state={state}
      {...liveRows(live)}
      idOf={idOf}
      nameOf={nameOf}
      textOf={({ metadata, spec }) => `${metadata.name} ${metadata.id} ${spec.type}`}
      create={
        <ButtonLink
          kind="primary"
          to="/platform/regions/new"
          reason={rights.mayGlobally('region:regions', 'create') ? undefined : words.parts.missingRight}
        >
          <Icon name="plus" />
          {texts.create}
        </ButtonLink>
      }
      onOpen={(region) => void navigate({ to: pageOf(region) })}
      columns={[
        nameColumn(pageOf),
        {
          key: 'state',
          title: texts.state,
          sort: (region) => condition(region).word,
          cell: (region) => <Status {...condition(region)} />,
        },
        { key: 'type', title: texts.type, sort: ({ spec }) => spec.type, cell: ({ spec }) => texts.types[spec.type] },
        { key: 'check', labelled: true, title: texts.check, cell: (region) => <CheckWord region={region} /> },
        createdColumn(),
      ]}
    />
  );
}
