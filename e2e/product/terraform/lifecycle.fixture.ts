import { isDeepStrictEqual } from 'node:util';

import { systemWorld } from '@unikorn/core/world';

import { child, items, type Json } from '../../../packages/core/src/testing/json.ts';
import { Refusal, type Client } from './client.fixture.ts';
import type { Attributes, ResourceType } from './resources.fixture.ts';

/** A resource in the state file. */
export interface Held {
  readonly id: string;
  readonly attributes: Attributes;
}

/** The actions of an apply. */
export type Plan =
  | { readonly action: 'nothing' | 'create' }
  | { readonly action: 'update' | 'replace'; readonly differs: readonly string[] };

const namePattern = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const markerPrefix = 'terraform.nscale.com/';

const firstWait_ms = 100;
const longestWait_ms = 10_000;
const toleratedAbsences = 20;

/** Creates, polls, reads, changes and deletes as the provider does, and fails in the same cases. */
export class Terraform {
  readonly #client: Client;
  readonly #timeout_ms: number;

  /** The provider itself has a timeout of half an hour. */
  constructor(client: Client, timeout_ms: number) {
    this.#client = client;
    this.#timeout_ms = timeout_ms;
  }

  /** The action of an apply for a resource that may be in the state; nothing if it already has the wanted values. */
  plan({ fixed, update }: ResourceType, held: Held | undefined, wanted: Attributes): Plan {
    if (!held) return { action: 'create' };
    const differs = differencesOf(wanted, held.attributes);
    if (differs.length === 0) return { action: 'nothing' };
    return { action: update && !differs.some((name) => fixed.includes(name)) ? 'update' : 'replace', differs };
  }

  async create(type: ResourceType, wanted: Attributes): Promise<Held> {
    this.#check(type, wanted);
    const answer = await this.#client.call(type.service, 'POST', type.collection(this.#client.settings), {
      metadata: metadataOf(wanted),
      spec: type.create(wanted, this.#client.settings),
    });
    const { id } = heldOf(type, answer);
    let absences = 0;
    const ready = await this.#poll(type, id, (seen) => {
      absences = seen ? 0 : absences + 1;
      if (absences > toleratedAbsences) throw new Error(`${type.type} ${id} still does not exist`);
      return seen !== undefined && isProvisioned(type, seen);
    });
    return consistent(type, wanted, heldOf(type, ready));
  }

  /** The refreshed resource; undefined if it no longer exists. */
  async read(type: ResourceType, id: string): Promise<Held | undefined> {
    const seen = await this.#get(type, id);
    return seen && heldOf(type, seen);
  }

  async update(type: ResourceType, held: Held, wanted: Attributes): Promise<Held> {
    this.#check(type, wanted);
    const marker = { name: `${markerPrefix}${systemWorld.uuid()}`, value: new Date(systemWorld.now()).toISOString() };
    const metadata = metadataOf(wanted, [marker]);
    const answer = await this.#client.call(type.service, 'PUT', this.#path(type, held.id), {
      metadata,
      spec: type.update?.(wanted),
    });
    if (type.changed === 'answered') heldOf(type, answer);
    const seen = await this.#poll(type, held.id, (current) => {
      if (!current) throw new Error(`${type.type} ${held.id} was deleted while it was changed`);
      refuseError(type, current);
      return items(child(current, 'metadata', 'tags')).some((tag) => child(tag, 'name') === marker.name);
    });
    // The plan keeps the private address.
    return consistent(
      type,
      'privateAddress' in held.attributes ? { ...wanted, privateAddress: held.attributes['privateAddress'] } : wanted,
      heldOf(type, seen),
    );
  }

  async destroy(type: ResourceType, { id }: Held): Promise<void> {
    await this.#waiting(() => this.#tryDelete(type, id));
    await this.#poll(type, id, (seen) => {
      if (seen) refuseError(type, seen);
      return seen === undefined;
    });
  }

  /**
   * Whether the deletion was accepted. If the provider retries while the resource is in use, a refusal is not an error.
   */
  async #tryDelete(type: ResourceType, id: string): Promise<boolean> {
    try {
      await this.#client.call(type.service, 'DELETE', this.#path(type, id));
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 404) return true;
      if (type.outwaitsUsers && error.status === 403 && /in use/i.test(error.description)) return false;
      throw error;
    }
  }

  async #get(type: ResourceType, id: string): Promise<Json | undefined> {
    try {
      return await this.#client.call(type.service, 'GET', this.#path(type, id));
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async #poll(type: ResourceType, id: string, ends: (seen: Json | undefined) => boolean): Promise<Json | undefined> {
    let seen: Json | undefined;
    await this.#waiting(async () => ends((seen = await this.#get(type, id))));
    return seen;
  }

  async #waiting(done: () => Promise<boolean>): Promise<void> {
    const end = systemWorld.monotonic_ms() + this.#timeout_ms;
    for (let wait_ms = firstWait_ms; !(await done()); wait_ms = Math.min(wait_ms * 2, longestWait_ms)) {
      if (systemWorld.monotonic_ms() > end) throw new Error(`the operation timed out`);
      await systemWorld.sleep(wait_ms);
    }
  }

  #path(type: ResourceType, id: string): string {
    return `${type.collection(this.#client.settings)}/${id}`;
  }

  /** Checks that the provider makes before it sends a request. */
  #check({ type, identifiers }: ResourceType, wanted: Attributes): void {
    if (!namePattern.test(String(wanted['name'])))
      throw new Error(`${type}: ${String(wanted['name'])} is not a valid name`);
    for (const name of identifiers)
      if (typeof wanted[name] === 'string' && !idPattern.test(wanted[name]))
        throw new Error(`${type}: ${name} is not an identifier`);
  }
}

function metadataOf(wanted: Attributes, markers: readonly object[] = []): Json {
  const tags = [...items(wanted['tags']), ...markers];
  return {
    name: wanted['name'],
    ...(typeof wanted['description'] === 'string' ? { description: wanted['description'] } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  };
}

function heldOf(type: ResourceType, answer: Json | undefined): Held {
  const metadata = child(answer, 'metadata');
  const [id, created] = [child(metadata, 'id'), child(metadata, 'creationTime')];
  if (!answer || typeof id !== 'string' || typeof created !== 'string' || !dateTime.test(created))
    throw new Error(`${type.type} cannot be read from ${JSON.stringify(answer)}`);
  const tags = items(child(metadata, 'tags')).filter((tag) => !String(child(tag, 'name')).startsWith(markerPrefix));
  const common = {
    name: child(metadata, 'name'),
    description: child(metadata, 'description') ?? null,
    tags: tags.length > 0 ? tags : null,
  };
  return { id, attributes: { ...common, ...type.read(answer) } };
}

/** Fields without an order, which are compared by name. */
const sets = new Set(['tags', 'snapshotPolicies']);

function comparable(name: string, value: unknown): unknown {
  return sets.has(name) && Array.isArray(value)
    ? value.toSorted((a, b) => String(child(a, 'name')).localeCompare(String(child(b, 'name'))))
    : value;
}

function isProvisioned(type: ResourceType, seen: Json): boolean {
  refuseError(type, seen);
  const status = child(seen, 'metadata', 'provisioningStatus');
  if (!['pending', 'provisioning', 'unknown', 'provisioned'].includes(String(status)))
    throw new Error(`${type.type} has the unexpected state ${String(status)}`);
  return status === 'provisioned';
}

function refuseError(type: ResourceType, seen: Json): void {
  if (child(seen, 'metadata', 'provisioningStatus') === 'error')
    throw new Error(`${type.type} failed: ${JSON.stringify(child(seen, 'metadata'))}`);
}

/** The wanted values that differ from the state. Fields that are not in the configuration are set by the server. */
function differencesOf(wanted: Attributes, held: Attributes): readonly string[] {
  return Object.keys(wanted).filter(
    (name) => !isDeepStrictEqual(comparable(name, wanted[name]), comparable(name, held[name])),
  );
}

/** Terraform requires that the applied values are exactly the planned ones. */
function consistent({ type }: ResourceType, wanted: Attributes, held: Held): Held {
  const differs = differencesOf(wanted, held.attributes);
  if (differs.length > 0)
    throw new Error(
      `provider produced inconsistent result after apply of ${type}: ${differs.map((name) => `${name} was ${JSON.stringify(wanted[name])}, but now ${JSON.stringify(held.attributes[name])}`).join('; ')}`,
    );
  return held;
}
