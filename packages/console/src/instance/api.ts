import { useMutation } from '@tanstack/react-query';

import { dataOf, type Instance, type InstanceUpdate } from '@unikorn/sdk';

import { defined } from '../defined.ts';
import { writeCurrent } from '../parts/opened.ts';
import { platform } from '../platform.ts';
import { useApi } from '../session/context.tsx';
import { followWork } from '../shell/work.ts';
import { words } from '../words/index.ts';

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

function follow(instance: Pick<Instance, 'metadata'>, title: string, goal: 'ready' | 'gone'): void {
  followWork({
    id: `${instance.metadata.id} ${title}`,
    title,
    service: 'compute',
    path: apiPath(instance.metadata.id),
    goal,
    page: pageOf(instance),
    since: new Date(platform.now()).toISOString(),
  });
}

export function usePower() {
  const { compute } = useApi();
  return useMutation({
    mutationFn: async ({ instance, action }: { readonly instance: Instance; readonly action: PowerAction }) => {
      const params = { path: { instanceID: instance.metadata.id } };
      switch (action) {
        case 'start':
          await compute.POST('/api/v2/instances/{instanceID}/start', { params });
          break;
        case 'stop':
          await compute.POST('/api/v2/instances/{instanceID}/stop', { params });
          break;
        case 'reboot':
          await compute.POST('/api/v2/instances/{instanceID}/reboot', { params });
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

export interface Change {
  readonly metadata?: Partial<InstanceUpdate['metadata']>;
  readonly spec?: Partial<InstanceUpdate['spec']>;
}

/** The body of an update: everything as it is, with these changes. */
export function updateOf({ metadata, spec }: Instance, change: Change): InstanceUpdate {
  const { name, description, tags } = metadata;
  return {
    metadata: { name, ...defined({ description, tags }), ...change.metadata },
    spec: { ...spec, ...change.spec },
  };
}

/**
 * Updates an instance. With a token, only if its plan is still the one that the user saw. Without one, the instance is
 * read first: an update replaces the whole specification, and the list on the screen may be older than another change.
 */
export function useUpdate() {
  const { compute } = useApi();
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
      const path = { instanceID: instance.metadata.id };
      if (planToken === undefined) {
        await writeCurrent(
          () => compute.GET('/api/v2/instances/{instanceID}', { params: { path } }),
          (current = instance, headers) =>
            compute.PUT('/api/v2/instances/{instanceID}', {
              params: { path },
              headers,
              body: updateOf(current, change),
            }),
        );
        return;
      }
      await compute.PUT('/api/v2/instances/{instanceID}', {
        params: { path, query: { planToken } },
        body: updateOf(instance, change),
      });
      follow(instance, words.instance.work.change(instance.metadata.name), 'ready');
    },
  });
}

export function useSnapshot() {
  const { compute } = useApi();
  return useMutation({
    mutationFn: ({ instance, name }: { readonly instance: Instance; readonly name: string }) =>
      dataOf(
        compute.POST('/api/v2/instances/{instanceID}/snapshot', {
          params: { path: { instanceID: instance.metadata.id } },
          body: { metadata: { name } },
        }),
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
