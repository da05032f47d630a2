import { defined } from '@unikorn/core/defined';
import type { Resource } from '@unikorn/core/kinds';
import { getKnown, matching, modify, type GetOptions, type Store } from '@unikorn/core/store';

import { collectionLabel, nameOf, SimulatedObject } from './kinds.ts';

export interface Stored<Body> {
  /** The pool of the claims. */
  readonly name: string;
  readonly id: string;
  readonly body: Body;
  readonly goneAt?: number;
}

interface Options<Body> {
  readonly store: Store;
  readonly region: string;
  /** The resource type, in the singular. */
  readonly sort: string;
  readonly parse: (body: unknown) => Body;
}

/** Resources of one type in one region. Each belongs to a tenant, and its name is derived from tenant and id. */
export class Records<Body> {
  readonly sort: string;
  readonly #store: Store;
  readonly #region: string;
  readonly #parse: (body: unknown) => Body;
  /**
   * A cache of one value: most objects are read several times in a row, and some, such as the settings, with every
   * call.
   */
  #last: { readonly text: string; readonly body: Body } | undefined;

  constructor({ store, region, sort, parse }: Options<Body>) {
    this.#store = store;
    this.#region = region;
    this.sort = sort;
    this.#parse = parse;
  }

  nameOf(tenant: string, id: string): string {
    return nameOf(this.#region, tenant, this.sort, id);
  }

  find(tenant: string, id: string): Promise<Stored<Body> | undefined> {
    return this.named(this.nameOf(tenant, id));
  }

  /** The same for objects that others need. An object that was deleted in the last moments may be found. */
  async known(tenant: string, id: string): Promise<Stored<Body> | undefined> {
    const object = await getKnown(this.#store, SimulatedObject, this.nameOf(tenant, id));
    return object && this.#read(object);
  }

  async named(name: string, options?: GetOptions): Promise<Stored<Body> | undefined> {
    const object = await this.#store.get(SimulatedObject, name, options);
    return object && this.#read(object);
  }

  async list(tenant: string): Promise<readonly Stored<Body>[]> {
    const selector = matching({ [collectionLabel]: this.#collection(tenant) });
    const found: Stored<Body>[] = [];
    let page = await this.#store.list(SimulatedObject, { selector, cached: true });
    found.push(...page.items.map((object) => this.#read(object)));
    while (page.continue !== undefined) {
      page = await this.#store.list(SimulatedObject, { selector, cached: true, continue: page.continue });
      found.push(...page.items.map((object) => this.#read(object)));
    }
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async create(tenant: string, id: string, body: Body): Promise<Stored<Body>> {
    const metadata = { name: this.nameOf(tenant, id), labels: { [collectionLabel]: this.#collection(tenant) } };
    return this.#read(
      await this.#store.create(SimulatedObject, { metadata, spec: { id, body: JSON.stringify(body) } }),
    );
  }

  async change(name: string, decide: (body: Body) => Body): Promise<Stored<Body>> {
    const changed = await modify(this.#store, SimulatedObject, name, (object) => ({
      ...object,
      spec: { ...object.spec, body: JSON.stringify(decide(this.#read(object).body)) },
    }));
    return this.#read(changed);
  }

  /** Hides the object from that time. If several times are set, the earliest counts. */
  async leave(name: string, goneAt: number): Promise<void> {
    await modify(this.#store, SimulatedObject, name, (object) => ({
      ...object,
      spec: { ...object.spec, goneAt: Math.min(goneAt, object.spec.goneAt ?? goneAt) },
    }));
  }

  async delete(name: string): Promise<void> {
    await this.#store.delete(SimulatedObject, name);
  }

  #body(text: string): Body {
    if (this.#last?.text !== text) this.#last = { text, body: this.#parse(JSON.parse(text)) };
    return this.#last.body;
  }

  #collection(tenant: string): string {
    return nameOf(this.#region, tenant, this.sort);
  }

  #read({ metadata, spec }: Resource<typeof SimulatedObject>): Stored<Body> {
    const { id, goneAt } = spec;
    return { name: metadata.name, id, body: this.#body(spec.body), ...defined({ goneAt }) };
  }
}
