import { Type } from 'typebox';

import { Problem } from '../errors/index.ts';
import { defineKind, type Draft, type Kind, type Resource } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import type {
  Change,
  DeleteOptions,
  ListQuery,
  Page,
  GetOptions,
  ReadOptions,
  Selector,
  StatusChange,
  Store,
  WatchEvent,
  WatchQuery,
} from '../store/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { silentTelemetry, virtualWorld } from '../testing/index.ts';
import type { VirtualWorld } from '../world/index.ts';
import { Caches } from './caches.ts';
import type { Runnable } from './crew.ts';
import { Lease } from './lease.ts';
import { done, type Outcome, type StatusPatch } from './outcome.ts';
import type { ProvisionContext, Provisioner } from './provisioner.ts';

const spec = Type.Object({
  size: Type.Integer(),
  pause: Type.Optional(Type.Boolean()),
  needs: Type.Optional(Type.String()),
});

export const Widget = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  spec,
  status: { handle: Type.Optional(Type.String({ maxLength: 20 })) },
});
export const SpareGear = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1',
  kind: 'SpareGear',
  plural: 'sparegears',
  spec,
  status: {},
});

export type Widget = Resource<typeof Widget>;

type Operation = 'create' | 'get' | 'list' | 'countUpTo' | 'update' | 'updateStatus' | 'delete' | 'watch';

/** A real store that a test can cause to fail, to lag, or to lose its watches. */
export class TestStore implements Store {
  sole = false;
  readonly calls: Operation[] = [];
  fault: (operation: Operation, kind: Kind) => Error | undefined = () => undefined;
  /** Fails after the operation took effect, as when a response is lost. */
  lostAnswer: (operation: Operation) => Error | undefined = () => undefined;
  readonly #inner: Store;
  readonly #watches = new Set<AbortController>();
  #dropReason: Error = new Error('dropped');
  #lag = Promise.resolve();

  constructor(inner: Store) {
    this.#inner = inner;
  }

  /** Holds back all events. Returns a function that releases them. */
  lag(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#lag = promise.then(() => undefined);
    return () => {
      resolve(undefined);
    };
  }

  dropWatches(reason: Error = new Problem('storage_unavailable', 'the connection is gone')): void {
    this.#dropReason = reason;
    for (const watch of this.#watches) watch.abort();
  }

  count(operation: Operation): number {
    return this.calls.filter((call) => call === operation).length;
  }

  create<K extends Kind>(kind: K, draft: Draft<K>): Promise<Resource<K>> {
    return this.#call('create', kind, () => this.#inner.create(kind, draft));
  }

  get<K extends Kind>(kind: K, name: string, options?: GetOptions): Promise<Resource<K> | undefined> {
    return this.#call('get', kind, () => this.#inner.get(kind, name, options));
  }

  list<K extends Kind>(kind: K, query?: ListQuery): Promise<Page<K>> {
    return this.#call('list', kind, () => this.#inner.list(kind, query));
  }

  countUpTo(kind: Kind, selector: Selector, most: number, options?: ReadOptions): Promise<number> {
    return this.#call('countUpTo', kind, () => this.#inner.countUpTo(kind, selector, most, options));
  }

  update<K extends Kind>(kind: K, change: Change<K>): Promise<Resource<K>> {
    return this.#call('update', kind, () => this.#inner.update(kind, change));
  }

  updateStatus<K extends Kind>(kind: K, change: StatusChange<K>): Promise<Resource<K>> {
    return this.#call('updateStatus', kind, () => this.#inner.updateStatus(kind, change));
  }

  delete<K extends Kind>(kind: K, name: string, options?: DeleteOptions): Promise<Resource<K> | undefined> {
    return this.#call('delete', kind, () => this.#inner.delete(kind, name, options));
  }

  async *watch<K extends Kind>(kind: K, query: WatchQuery): AsyncIterable<WatchEvent<K>> {
    await this.#call('watch', kind, () => Promise.resolve());
    const drop = new AbortController();
    this.#watches.add(drop);
    const signal = AbortSignal.any([drop.signal, ...(query.signal ? [query.signal] : [])]);
    for await (const event of this.#inner.watch(kind, { ...query, signal })) {
      await this.#lag;
      if (drop.signal.aborted) break;
      yield event;
    }
    this.#watches.delete(drop);
    if (drop.signal.aborted && !query.signal?.aborted) throw this.#dropReason;
  }

  probe(): Promise<void> {
    return this.#inner.probe();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #call<T>(operation: Operation, kind: Kind, run: () => Promise<T>): Promise<T> {
    this.calls.push(operation);
    const fault = this.fault(operation, kind);
    if (fault) throw fault;
    const answer = await run();
    const lost = this.lostAnswer(operation);
    if (lost) throw lost;
    return answer;
  }
}

export function openTestStore(world: VirtualWorld, history?: number): TestStore {
  return new TestStore(
    openMemoryStore({
      world,
      kinds: [Widget, SpareGear, Lease],
      ...(history === undefined ? {} : { history: { changes: history } }),
    }),
  );
}

/** A process under test: a world, a store, caches, and functions to start and stop runnables. */
export function stage(seed?: number, shared?: { readonly world: VirtualWorld; readonly store: TestStore }) {
  const world = shared?.world ?? virtualWorld(seed);
  const store = shared?.store ?? openTestStore(world);
  const telemetry = silentTelemetry();
  const caches = new Caches({ store, world, telemetry });
  const context = { store, world, telemetry, caches };
  const stop = new AbortController();
  const runs: Promise<void>[] = [];
  const widget = async (name: string): Promise<Widget> => {
    const found = await store.get(Widget, name);
    if (!found) throw new Error(`widget ${name} is gone`);
    return found;
  };

  return {
    ...context,
    context,
    stop,
    /** Runs these runnables, and the caches that they read, until the stage is stopped. */
    start: async (...runnables: Runnable[]): Promise<void> => {
      runs.push(caches.run(stop.signal), ...runnables.map((runnable) => runnable.run(stop.signal)));
      await world.settle();
    },
    end: async (): Promise<void> => {
      stop.abort();
      let ended = false;
      void Promise.all(runs).then(() => {
        ended = true;
      });
      await world.until(() => ended);
    },
    create: (
      name: string,
      extra: {
        readonly size?: number;
        readonly needs?: string;
        readonly pause?: boolean;
        readonly finalizers?: readonly string[];
        readonly labels?: Record<string, string>;
      } = {},
    ) => {
      const { size = 1, finalizers = [], labels: more = {}, ...rest } = extra;
      return store.create(Widget, {
        metadata: { name, labels: { [labels.name]: `my-${name}`, ...more }, finalizers },
        spec: { size, ...rest },
      });
    },
    widget,
    edit: async (
      name: string,
      change: (widget: Widget) => Partial<Pick<Widget, 'metadata' | 'spec'>>,
    ): Promise<Widget> => {
      const current = await widget(name);
      return store.update(Widget, { metadata: current.metadata, spec: current.spec, ...change(current) });
    },
    available: async (name: string): Promise<string> => {
      const condition = (await widget(name)).status?.conditions?.find(({ type }) => type === 'Available');
      return condition ? `${condition.status}/${condition.reason}` : 'none';
    },
    metric: async (name: string, wanted: Record<string, string> = {}): Promise<number | undefined> => {
      const metric = (await telemetry.registry.getMetricsAsJSON()).find((candidate) => candidate.name === name);
      return metric?.values.find(({ labels: found }) =>
        Object.entries(wanted).every(([key, value]) =>
          Object.entries(found).some(([k, v]) => k === key && v === value),
        ),
      )?.value;
    },
  };
}

type Step = (
  widget: Widget,
  context: ProvisionContext,
) => Outcome<StatusPatch<typeof Widget>> | Promise<Outcome<StatusPatch<typeof Widget>>>;

/** A provisioner whose results the test gives. It counts its calls. */
export function scripted(steps: { provision?: Step; deprovision?: Step } = {}) {
  const asked: string[] = [];
  const script = { provision: steps.provision ?? (() => done()), deprovision: steps.deprovision ?? (() => done()) };
  const provisioner: Provisioner<typeof Widget> = {
    async provision(widget, context) {
      asked.push(`provision ${widget.metadata.name}`);
      return script.provision(widget, context);
    },
    async deprovision(widget, context) {
      asked.push(`deprovision ${widget.metadata.name}`);
      return script.deprovision(widget, context);
    },
  };
  return { provisioner, asked, script };
}
