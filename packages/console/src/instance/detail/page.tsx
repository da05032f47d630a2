import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';

import type { Instance } from '@unikorn/sdk';

import { useLive } from '../../live/use-live.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton, Identifier } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx';
import { Notice, Page, Skeleton } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Badge } from '../../parts/status.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { useActions } from '../../session/actions.ts';
import { words } from '../../words/index.ts';
import { apiPath, pageOf, useDelete, usePower, versionOf, type PowerAction } from '../api.ts';
import { instanceCondition } from '../../parts/instance-status.ts';
import { InstanceProvider } from './instance.tsx';
import { Tombstone } from './tombstone.tsx';

const texts = words.instance;
const from = '/o/$org/p/$project/instances/$id';

const ChangeDialog = lazy(async () => ({ default: (await import('../change/dialog.tsx')).ChangeDialog }));

/** The page of an instance: its state first, then its parts. */
export function InstancePage() {
  const { org, project, id } = useParams({ from });
  const { byId, freshness, error } = useLive('instances', { organization: org, project });
  const { change } = useSearch({ from });
  const navigate = useNavigate();
  const instance = byId.get(id);
  if (error && freshness === 'refused') return <Problem error={error} />;
  if (freshness === 'loading') return <Skeleton />;
  if (!instance) return <Tombstone id={id} org={org} project={project} />;
  const { tone, word } = instanceCondition(instance);
  const base = pageOf(instance);
  return (
    <InstanceProvider value={instance}>
      <Page
        title={instance.metadata.name}
        before={<Badge tone={tone}>{word}</Badge>}
        actions={<Actions instance={instance} />}
      >
        <Strip instance={instance} />
        {instance.status.diskLostAt !== undefined && (
          <Notice tone="warn">
            {texts.diskLost} <Time at={instance.status.diskLostAt} />.
          </Notice>
        )}
        {instance.status.replacement && (
          <Notice>
            {texts.replacing(instance.status.replacement.action)} <Time at={instance.status.replacement.since} />.
          </Notice>
        )}
        <Tabs
          label={texts.tabs.label}
          tabs={[
            { to: base, title: texts.tabs.overview },
            { to: `${base}/network`, title: texts.tabs.network },
            { to: `${base}/console`, title: texts.tabs.console },
            { to: `${base}/history`, title: texts.tabs.history },
            { to: `${base}/settings`, title: texts.tabs.settings },
          ]}
        />
        <Outlet />
        {change !== undefined && (
          <Suspense>
            <ChangeDialog
              instance={instance}
              onClose={() => {
                void navigate({ to: '.', search: {}, replace: true });
              }}
            />
          </Suspense>
        )}
      </Page>
    </InstanceProvider>
  );
}

/** What one wants to know first, in one line. */
function Strip({ instance: { metadata, status } }: { readonly instance: Instance }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {[
        [texts.columns.address, status.privateIP],
        [texts.columns.publicAddress, status.publicIP],
      ].map(([name, address]) => (
        <div key={name}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="flex h-6 items-center gap-1 font-mono">
            {address ?? '–'}
            {address !== undefined && <CopyButton text={address} what={address} />}
          </dd>
        </div>
      ))}
      <div>
        <dt className="text-sm text-muted">{texts.created}</dt>
        <dd className="flex h-6 items-center">
          <Time at={metadata.creationTime} />
        </dd>
      </div>
      <div>
        <dt className="text-sm text-muted">{texts.observed}</dt>
        <dd className="flex h-6 items-center">
          <Time at={status.observedAt} />
        </dd>
      </div>
      <div>
        <dt className="text-sm text-muted">{texts.columns.id}</dt>
        <dd className="flex h-6 items-center">
          <Identifier id={metadata.id} />
        </dd>
      </div>
    </dl>
  );
}

function Actions({ instance }: { readonly instance: Instance }) {
  const against = useActions('compute', apiPath(instance.metadata.id), versionOf(instance));
  const [asked, setAsked] = useState<PowerAction | 'delete'>();
  const power = usePower();
  const remove = useDelete();
  const navigate = useNavigate();
  const { name } = instance.metadata;
  const stopped = instance.status.powerState === 'Stopped';
  const close = () => {
    setAsked(undefined);
    power.reset();
    remove.reset();
  };
  return (
    <>
      {stopped ? (
        <Button
          reason={against('start')}
          busy={power.isPending}
          onClick={() => {
            power.mutate({ instance, action: 'start' });
          }}
        >
          <Icon name="play" />
          {texts.actions.start}
        </Button>
      ) : (
        <Button
          reason={against('stop')}
          onClick={() => {
            setAsked('stop');
          }}
        >
          <Icon name="stop" />
          {texts.actions.stop}
        </Button>
      )}
      <Button reason={against('update')} onClick={() => void navigate({ to: '.', search: { change: '1' } })}>
        <Icon name="edit" />
        {texts.actions.change}
      </Button>
      <Menu
        trigger={
          <IconButton label={texts.actions.more} className="border border-line-strong bg-surface">
            <Icon name="more" />
          </IconButton>
        }
      >
        <MenuItem
          icon="restart"
          reason={against('softreboot')}
          onSelect={() => {
            setAsked('reboot');
          }}
        >
          {texts.actions.reboot}
        </MenuItem>
        <MenuItem
          icon="copy"
          onSelect={() => {
            const { organizationId: org, projectId: project, id } = instance.metadata;
            void navigate({ to: '/o/$org/p/$project/instances/new', params: { org, project }, search: { from: id } });
          }}
        >
          {texts.actions.duplicate}
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon="trash"
          danger
          reason={against('delete')}
          onSelect={() => {
            setAsked('delete');
          }}
        >
          {texts.actions.delete}
        </MenuItem>
      </Menu>
      {(asked === 'stop' || asked === 'reboot') && (
        <Confirm
          open
          onClose={close}
          title={texts.confirm[asked].title(name)}
          action={texts.actions[asked]}
          busy={power.isPending}
          error={power.error}
          onConfirm={() => {
            power.mutate({ instance, action: asked }, { onSuccess: close });
          }}
        >
          <p>{texts.confirm[asked].text}</p>
        </Confirm>
      )}
      {power.error && asked === undefined && <Problem error={power.error} />}
      <Confirm
        open={asked === 'delete'}
        onClose={close}
        title={texts.confirm.delete.title(name)}
        action={texts.actions.delete}
        typed={name}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          remove.mutate(instance, { onSuccess: close });
        }}
      >
        <p>{texts.confirm.delete.text}</p>
      </Confirm>
    </>
  );
}
