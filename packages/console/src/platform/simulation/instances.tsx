import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import type { Instance, RegionRead } from '@unikorn/sdk';

import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { IconButton } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Icon } from '../../parts/icon.tsx';
import { instanceCondition } from '../../parts/instance-status.ts';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { FirstItems, Nothing, Notice, Section } from '../../parts/page.tsx';
import { byName } from '../../parts/rows.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import { useApi } from '../../session/context.tsx';
import { shellWord } from '../../parts/equivalent.ts';
import { Same } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { drifts } from '../routes.tsx';

const texts = platformWords.simulation;
type Drift = (typeof drifts)[number];

/** The instances of a region, live, and what can happen to their machines behind the back of the platform. */
export function SimulatedInstances({
  region,
  reason,
}: {
  readonly region: RegionRead;
  readonly reason: string | undefined;
}) {
  const live = useLive('instances', { region: region.metadata.id });
  const { items, byId, freshness } = live;
  const failure = failureOf(live);
  const from = '/platform/regions/$id/simulation';
  const { dialog, id } = useSearch({ from });
  const navigate = useNavigate({ from });
  const [done, setDone] = useState<string>();
  const chosen = byId.get(id ?? '');
  const drift = drifts.find((each) => each === dialog);
  return (
    <Section title={texts.instances}>
      <div className="flex flex-col gap-3">
        {failure && <Problem error={failure} />}
        {done !== undefined && (
          <Notice>
            <p>{done}</p>
          </Notice>
        )}
        {items.length === 0 && (
          <Nothing loading={freshness === 'loading'}>{platformWords.regions.instancesNone}</Nothing>
        )}
        <ul
          aria-label={texts.instances}
          className={`flex max-h-96 flex-col divide-y divide-line overflow-y-auto ${freshness === 'stale' ? 'opacity-60' : ''}`}
        >
          <FirstItems items={items.toSorted(byName)}>
            {(instance) => (
              <li key={instance.metadata.id} className="flex items-center gap-2 py-1">
                <div className="min-w-0 flex-1">
                  <Row instance={instance} />
                </div>
                <Menu
                  trigger={
                    <IconButton label={words.parts.actionsOf(instance.metadata.name)}>
                      <Icon name="more" />
                    </IconButton>
                  }
                >
                  {drifts.map((each) => (
                    <MenuItem
                      key={each}
                      icon={each === 'stopped' ? 'stop' : each === 'failed' ? 'warning' : 'trash'}
                      danger={each === 'deleted'}
                      reason={reason}
                      onSelect={() => void navigate({ search: { dialog: each, id: instance.metadata.id } })}
                    >
                      {texts.drift[each]}
                    </MenuItem>
                  ))}
                </Menu>
              </li>
            )}
          </FirstItems>
        </ul>
      </div>
      {chosen && drift && (
        <DriftDialog
          region={region}
          instance={chosen}
          drift={drift}
          onClose={() => void navigate({ search: {}, replace: true, resetScroll: false })}
          onDone={() => {
            setDone(texts.driftDone(chosen.metadata.name));
          }}
        />
      )}
    </Section>
  );
}

function Row({ instance }: { readonly instance: Instance }) {
  const { metadata } = instance;
  const condition = instanceCondition(instance);
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <PlaceLink org={metadata.organizationId} project={metadata.projectId} noun="instances" id={metadata.id}>
          {metadata.name}
        </PlaceLink>
        <Status {...condition} />
      </div>
      {condition.message !== undefined && condition.message !== '' && (
        <p lang="en" className="text-sm break-words text-muted">
          {condition.message}
        </p>
      )}
    </div>
  );
}

function DriftDialog({
  region: { metadata: place },
  instance,
  drift,
  onClose,
  onDone,
}: {
  readonly region: RegionRead;
  readonly instance: Instance;
  readonly drift: Drift;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { id, name } = instance.metadata;
  const { region } = useApi();
  // A machine has the id of its instance.
  const body = { kind: 'server', id, drift } as const;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      region.POST('/api/v2/regions/{regionID}/simulation/drift', { params: { path: { regionID: place.id } }, body }),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <Confirm
      open
      danger={drift !== 'stopped'}
      title={texts.driftTitles[drift](name)}
      action={texts.drift[drift]}
      {...(drift === 'deleted' ? { typed: name } : {})}
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => {
        mutate();
      }}
    >
      <p>{texts.driftText}</p>
      {drift === 'deleted' && <p className="font-medium text-bad">{texts.driftLoses}</p>}
      <Same
        command={`npx unikorn region drift ${shellWord(place.name)} ${shellWord(name)} --as ${drift} --all-projects`}
        sent={{ method: 'POST', path: `/region/api/v2/regions/${place.id}/simulation/drift`, body }}
      />
    </Confirm>
  );
}
