import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';

import type { Instance } from '@unikorn/sdk';

import { useReturn } from '../../parts/back.ts';
import { IconButton } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CheckField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu, MenuLine } from '../../parts/menu.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useActions } from '../../session/actions.ts';
import { Same } from '../../shell/same.tsx';
import { useVerbs, VerbButton, VerbItem, type Verb } from '../../shell/verbs.tsx';
import { words } from '../../words/index.ts';
import { apiPath, askedAbout, useDelete, usePower, useProtection, type PowerAction } from '../api.ts';
import type { InstanceDialog } from '../routes.tsx';

const texts = words.instance;

const ChangeDialog = lazy(async () => ({ default: (await import('../change/dialog.tsx')).ChangeDialog }));
const TagsDialog = lazy(async () => ({ default: (await import('../tag-dialogs.tsx')).TagsDialog }));
const SnapshotDialog = lazy(async () => ({ default: (await import('./snapshot-dialog.tsx')).SnapshotDialog }));

/** Opens a dialog of the page of an instance. It is in the address, so that every tab and the palette can open it. */
export function useInstanceDialog() {
  const navigate = useNavigate();
  return (dialog: InstanceDialog) => void navigate({ to: '.', search: { dialog }, resetScroll: false });
}

/** What can be done with the instance: buttons, a menu, the same verbs in the palette, and their dialogs. */
export function Actions({ instance }: { readonly instance: Instance }) {
  const power = usePower();
  const protect = useProtection();
  const verbs = useInstanceVerbs(instance, power, protect);
  useVerbs(instance.metadata.name, Object.values(verbs));
  const error = power.variables?.action === 'start' ? (power.error ?? protect.error) : protect.error;
  return (
    <>
      {instance.status.powerState === 'Stopped' ? (
        <VerbButton verb={verbs.start} busy={power.isPending} />
      ) : (
        <VerbButton verb={verbs.stop} />
      )}
      <VerbButton verb={verbs.change} />
      <Menu
        trigger={
          <IconButton label={texts.actions.more} className="border border-line-strong bg-surface">
            <Icon name="more" />
          </IconButton>
        }
      >
        <VerbItem verb={verbs.reboot} />
        <VerbItem verb={verbs.snapshot} />
        <VerbItem verb={verbs.tags} />
        <VerbItem verb={verbs.protect} />
        <VerbItem verb={verbs.duplicate} />
        <MenuLine />
        <VerbItem verb={verbs.delete} />
      </Menu>
      {error && <Problem error={error} />}
      <Dialogs instance={instance} power={power} />
    </>
  );
}

function useInstanceVerbs(
  instance: Instance,
  power: ReturnType<typeof usePower>,
  protect: ReturnType<typeof useProtection>,
) {
  const against = useActions(askedAbout(instance));
  const navigate = useNavigate();
  const open = useInstanceDialog();
  const { organizationId: org, projectId: project, id } = instance.metadata;
  const isProtected = instance.spec.deletionProtection === true;
  const asking = (key: InstanceDialog, title: string, icon: Verb['icon'], action: string): Verb => ({
    key,
    title,
    icon,
    reason: against(action),
    run: () => {
      open(key);
    },
  });
  return {
    start: {
      key: 'start',
      title: texts.actions.start,
      icon: 'play',
      reason: against('start'),
      run: () => {
        power.mutate({ instance, action: 'start' });
      },
    },
    stop: asking('stop', texts.actions.stop, 'stop', 'stop'),
    reboot: asking('reboot', texts.actions.reboot, 'restart', 'softreboot'),
    change: {
      key: 'change',
      title: texts.actions.change,
      icon: 'edit',
      reason: against('update'),
      run: () => void navigate({ to: '.', search: { change: '1' }, resetScroll: false }),
    },
    snapshot: asking('snapshot', texts.settings.createSnapshot, 'images', 'snapshot'),
    tags: asking('tags', texts.tagging.change, 'tag', 'update'),
    protect: {
      key: 'protect',
      title: isProtected ? texts.bulk.actions.unprotect : texts.bulk.actions.protect,
      icon: 'lock',
      reason: against('update'),
      run: () => {
        protect.mutate({ instance, on: !isProtected });
      },
    },
    duplicate: {
      key: 'duplicate',
      title: texts.actions.duplicate,
      icon: 'copy',
      run: () =>
        void navigate({ to: '/o/$org/p/$project/instances/new', params: { org, project }, search: { from: id } }),
    },
    delete: { ...asking('delete', texts.actions.delete, 'trash', 'delete'), danger: true },
  } satisfies Readonly<Record<string, Verb>>;
}

/** The dialog that the address names. */
function Dialogs({ instance, power }: { readonly instance: Instance; readonly power: ReturnType<typeof usePower> }) {
  const { dialog, change, back } = useSearch({ from: '/o/$org/p/$project/instances/$id' });
  const navigate = useNavigate();
  const goBack = useReturn();
  const remove = useDelete();
  const [hard, setHard] = useState(false);
  const { name, id, organizationId: organization, projectId: project } = instance.metadata;
  const close = () => {
    setHard(false);
    power.reset();
    remove.reset();
    if (back === undefined) void navigate({ to: '.', search: {}, replace: true, resetScroll: false });
    else goBack(back);
  };
  const path = `/compute${apiPath(id)}`;
  const same = { noun: 'instance', name, organization, project } as const;
  const isHard = dialog === 'reboot' && hard;
  const asks = (action: Exclude<PowerAction, 'start'>) => (
    <Confirm
      open
      onClose={close}
      title={texts.confirm[action].title(name)}
      action={texts.actions[action]}
      busy={power.isPending}
      error={power.error}
      onConfirm={() => {
        power.mutate({ instance, action, hard: isHard }, { onSuccess: close });
      }}
    >
      <p>{texts.confirm[action].text}</p>
      {action === 'reboot' && (
        <CheckField
          label={texts.confirm.reboot.hard}
          hint={texts.confirm.reboot.hardHint}
          checked={hard}
          onChange={setHard}
        />
      )}
      <Same
        {...same}
        verb={action}
        flags={isHard ? ['--hard'] : []}
        sent={{ method: 'POST', path: `${path}/${action}${isHard ? '?hard=true' : ''}` }}
      />
    </Confirm>
  );
  if (dialog === 'stop' || dialog === 'reboot') return asks(dialog);
  if (dialog === 'delete')
    return (
      <Confirm
        open
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
        <Same {...same} verb="delete" sent={{ method: 'DELETE', path }} />
      </Confirm>
    );
  return (
    <Suspense>
      {dialog === 'tags' && <TagsDialog instance={instance} onClose={close} />}
      {dialog === 'snapshot' && <SnapshotDialog instance={instance} onClose={close} />}
      {change !== undefined && <ChangeDialog instance={instance} onClose={close} />}
    </Suspense>
  );
}
