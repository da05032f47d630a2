import { useMutation } from '@tanstack/react-query';

import { dataOf, type Instance, type Tag } from '@unikorn/sdk';

import { writeCurrent } from '../parts/opened.ts';
import { useRepeatable } from '../parts/repeatable.ts';
import type { Asked } from '../session/actions.ts';
import { serverNow } from '../session/server-clock.ts';
import { useApi } from '../session/context.tsx';
import { offerUndo } from '../shell/undo.ts';
import { followWork } from '../shell/work.ts';
import { words } from '../words/index.ts';
import { accessTo, changeReversibly, protection } from './reversible.ts';
import { updateOf, type Change } from './update-body.ts';

export type PowerAction = 'start' | 'stop' | 'reboot';

/** The page of an instance. */
export function pageOf({ metadata }: Pick<Instance, 'metadata'>): string {
  return `/o/${metadata.organizationId}/p/${metadata.projectId}/instances/${metadata.id}`;
}

export function apiPath(id: string): string {
  return `/api/v2/instances/${id}`;
}

/** What changes whenever something about the instance changes that other requests depend on. */
export function versionOf({ metadata, spec, status }: Instance): string {
  // The time of the last observation changes often, and says nothing about the instance.
  const observed = { ...status, observedAt: undefined };
  return JSON.stringify([metadata.provisioningStatus, metadata.healthStatus, metadata.modifiedTime, spec, observed]);
}

/** How the service is asked what can be done with an instance. */
export function askedAbout(instance: Instance): Asked {
  return { service: 'compute', path: apiPath(instance.metadata.id), version: versionOf(instance) };
}

function follow(instance: Pick<Instance, 'metadata'>, title: string, goal: 'ready' | 'gone'): void {
  followWork({
    id: `${instance.metadata.id} ${title}`,
    title,
    service: 'compute',
    path: apiPath(instance.metadata.id),
    goal,
    page: pageOf(instance),
    since: new Date(serverNow()).toISOString(),
  });
}

export function usePower() {
  const { compute } = useApi();
  return useMutation({
    mutationFn: async ({
      instance,
      action,
      hard = false,
    }: {
      readonly instance: Instance;
      readonly action: PowerAction;
      /** A reboot that does not ask the machine. */
      readonly hard?: boolean;
    }) => {
      const params = { path: { instanceID: instance.metadata.id } };
      switch (action) {
        case 'start':
          await compute.POST('/api/v2/instances/{instanceID}/start', { params });
          break;
        case 'stop':
          await compute.POST('/api/v2/instances/{instanceID}/stop', { params });
          break;
        case 'reboot':
          await compute.POST('/api/v2/instances/{instanceID}/reboot', {
            params: { ...params, ...(hard ? { query: { hard } } : {}) },
          });
          break;
      }
    },
  });
}

export function useDelete() {
  const { compute } = useApi();
  return useMutation({
    mutationFn: async (instance: Instance) => {
      await compute.DELETE('/api/v2/instances/{instanceID}', {
        params: { path: { instanceID: instance.metadata.id } },
      });
      follow(instance, words.instance.work.delete(instance.metadata.name), 'gone');
    },
  });
}

/**
 * Updates an instance. With a token, only if its plan is still the one that the user saw. Without one, the instance is
 * read first: an update replaces the whole specification, and the list on the screen may be older than another change.
 */
export function useUpdate() {
  const api = useApi();
  return useMutation({
    mutationFn: async ({
      instance,
      change,
      planToken,
    }: {
      readonly instance: Instance;
      readonly change: Change;
      readonly planToken?: string;
    }) => {
      if (planToken === undefined) {
        const { read, write } = accessTo(api, instance);
        await writeCurrent(read, (current = instance, headers) => write(current, change, headers));
        return;
      }
      await api.compute.PUT('/api/v2/instances/{instanceID}', {
        params: { path: { instanceID: instance.metadata.id }, query: { planToken } },
        body: updateOf(instance, change),
      });
      follow(instance, words.instance.work.change(instance.metadata.name), 'ready');
    },
  });
}

/** Turns the protection against deletion on or off, and offers to undo that. */
export function useProtection() {
  const api = useApi();
  return useMutation({
    mutationFn: async ({ instance, on }: { readonly instance: Instance; readonly on: boolean }) => {
      const restoration = await changeReversibly(api, instance, protection, () => on);
      if (restoration) offerUndo(words.instance.done.protection(instance.metadata.name, on), [restoration]);
    },
  });
}

interface SnapshotCreate {
  readonly metadata: { readonly name: string; readonly tags?: Tag[] };
}

export function useSnapshot() {
  const { compute } = useApi();
  const repeat = useRepeatable();
  return useMutation({
    mutationFn: ({ instance, body }: { readonly instance: Instance; readonly body: SnapshotCreate }) =>
      repeat(body, (headers) =>
        dataOf(
          compute.POST('/api/v2/instances/{instanceID}/snapshot', {
            params: { path: { instanceID: instance.metadata.id } },
            headers,
            body,
          }),
        ),
      ),
  });
}

export function useSshKey() {
  const { compute } = useApi();
  return useMutation({
    mutationFn: (id: string) =>
      dataOf(compute.GET('/api/v2/instances/{instanceID}/sshkey', { params: { path: { instanceID: id } } })),
  });
}
