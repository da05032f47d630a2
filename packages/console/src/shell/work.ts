import { useSyncExternalStore } from 'react';

import { serverNow } from '../session/server-clock.ts';
import { words } from '../words/index.ts';

/** Something that the user asked for and that takes a while. */
export interface Work {
  readonly id: string;
  /** What was asked for, such as `Create web-3`. */
  readonly title: string;
  readonly service: 'compute' | 'region' | 'identity';
  /** The path of the resource in the API, which says how far it is. */
  readonly path: string;
  readonly goal: 'ready' | 'gone';
  /** The page of the resource. */
  readonly page: string;
  readonly since: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly message?: string;
}

const key = 'unikorn.work';
/** Finished work is forgotten first. */
const kept = 30;

let current: readonly Work[] = read();
const listeners = new Set<() => void>();

function read(): readonly Work[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isWork) : [];
  } catch {
    return [];
  }
}

function isWork(value: unknown): value is Work {
  const texts = ['id', 'title', 'service', 'path', 'goal', 'page', 'since', 'state'];
  return (
    typeof value === 'object' && value !== null && texts.every((name) => typeof Reflect.get(value, name) === 'string')
  );
}

function write(works: readonly Work[]): void {
  current = works.slice(-kept);
  localStorage.setItem(key, JSON.stringify(current));
  for (const listener of listeners) listener();
}

/** Follows a request in the tray until it is done, also after the page is loaded again. */
export function followWork(work: Omit<Work, 'state'>): void {
  write([...current.filter(({ id }) => id !== work.id), { ...work, state: 'running' }]);
}

/** Resources that are followed in the same way: service, path in the API, page, and what they are called. */
const followed = {
  network: { service: 'region', path: '/api/v2/networks', page: 'networks', one: words.network.one },
  loadBalancer: {
    service: 'region',
    path: '/api/v2/loadbalancers',
    page: 'load-balancers',
    one: words.loadBalancer.one,
  },
  fileStorage: { service: 'region', path: '/api/v2/filestorage', page: 'file-storage', one: words.fileStorage.one },
  project: { service: 'identity', path: '', page: 'projects', one: words.identity.projects.one },
} as const;

export interface Followed {
  readonly org: string;
  readonly project?: string;
  readonly id: string;
  readonly name: string;
}

/** Follows the creation or deletion of a resource until it is ready, or gone. */
export function followResource(
  kind: keyof typeof followed,
  verb: 'create' | 'delete',
  { org, project, id, name }: Followed,
): void {
  const { service, path, page, one } = followed[kind];
  const list = project === undefined ? `/o/${org}/${page}` : `/o/${org}/p/${project}/${page}`;
  followWork({
    id: `${id} ${verb}`,
    title: words.shell.workTitle[verb](one, name),
    service,
    path: kind === 'project' ? `/api/v1/organizations/${org}/projects/${id}` : `${path}/${id}`,
    goal: verb === 'delete' ? 'gone' : 'ready',
    page: verb === 'delete' || project === undefined ? list : `${list}/${id}`,
    since: new Date(serverNow()).toISOString(),
  });
}

export function updateWork(id: string, changes: Pick<Work, 'state'> & { readonly message?: string }): void {
  write(current.map((work) => (work.id === id ? { ...work, ...changes } : work)));
}

/** Stops following. The work itself goes on. */
export function dismissWork(id: string): void {
  write(current.filter((work) => work.id !== id));
}

export function clearFinishedWork(): void {
  write(current.filter(({ state }) => state === 'running'));
}

export function useWork(): readonly Work[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
