import { systemWorld } from '@unikorn/core/world';

import type { Random } from './random.fixture.ts';
import type { Ask, Client, Result, Shown } from './traffic.fixture.ts';

export interface Place {
  readonly token: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly regionId: string;
  readonly flavorId: string;
  readonly imageId: string;
}

/** The last state of a resource that the platform acknowledged. */
export interface Known {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Of an instance. */
  readonly networkId?: string;
  readonly deleted: boolean;
}

const instances = '/api/v2/instances';
const networks = '/api/v2/networks';

/** A user who creates, changes, starts, stops and deletes own instances and networks, one request after another. */
export class User {
  readonly name: string;
  readonly #client: Client;
  readonly #place: Place;
  readonly #random: Random;
  readonly instances = new Map<string, Known>();
  readonly networks = new Map<string, Known>();
  readonly done = new Map<string, number>();
  /** Answers that no sequence of requests explains. */
  readonly surprises: string[] = [];
  #count = 0;

  constructor(name: string, client: Client, place: Place, random: Random) {
    this.name = name;
    this.#client = client;
    this.#place = place;
    this.#random = random;
  }

  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const action = this.#random.pick(this.#possible());
      await action();
      await systemWorld.sleep(this.#random.between(0, 200));
    }
  }

  #possible(): readonly (() => Promise<void>)[] {
    const networksNow = alive(this.networks);
    const instancesNow = alive(this.instances);
    if (networksNow.length === 0) return [() => this.#createNetwork()];
    const create = () => this.#createInstance(this.#random.pick(networksNow));
    if (instancesNow.length === 0) return [create];
    const one = this.#random.pick(instancesNow);
    return [
      ...(instancesNow.length < 6 ? [create, create, create] : []),
      ...(networksNow.length < 3 ? [() => this.#createNetwork()] : [() => this.#deleteNetwork()]),
      () => this.#changeInstance(one),
      () => this.#changeInstance(one),
      () => this.#power(one, 'stop'),
      () => this.#power(one, 'start'),
      () => this.#deleteInstance(one),
    ];
  }

  async #createNetwork(): Promise<void> {
    const { organizationId, projectId, regionId } = this.#place;
    const name = this.#newName('net');
    const metadata = { name, description: 'new' };
    const spec = { organizationId, projectId, regionId, prefix: '10.0.0.0/24', dnsNameservers: [] };
    const id = await this.#created('region', networks, { metadata, spec });
    if (id !== undefined) this.networks.set(id, { id, name, description: 'new', deleted: false });
  }

  async #createInstance({ id: networkId }: Known): Promise<void> {
    const { organizationId, projectId, flavorId, imageId } = this.#place;
    const name = this.#newName('vm');
    const metadata = { name, description: 'new' };
    const spec = { organizationId, projectId, networkId, flavorId, imageId };
    const id = await this.#created('compute', instances, { metadata, spec });
    if (id !== undefined) this.instances.set(id, { id, name, description: 'new', networkId, deleted: false });
  }

  /**
   * A change names the version that it is for. Otherwise a request that a frozen process answers late would undo a
   * later change.
   */
  async #changeInstance(known: Known): Promise<void> {
    const { flavorId, imageId } = this.#place;
    const description = `change ${this.#count++}`;
    const path = `${instances}/${known.id}`;
    const body = { metadata: { name: known.name, description }, spec: { flavorId, imageId } };
    for (;;) {
      const read = await this.#call('compute', 'GET', path);
      if (read.status !== 200) {
        this.#surprise('GET', known, read);
        return;
      }
      const isDone = (read.body as Shown).metadata.description === description;
      const written = isDone ? read : await this.#call('compute', 'PUT', path, { body, ifMatch: read.etag });
      if (isSuccess(written)) break;
      if (written.status !== 409 && written.status !== 412) {
        this.#surprise('PUT', known, written);
        return;
      }
    }
    this.instances.set(known.id, { ...known, description });
  }

  async #power(known: Known, verb: 'start' | 'stop'): Promise<void> {
    const result = await this.#call('compute', 'POST', `${instances}/${known.id}/${verb}`);
    // Its machine may not exist yet, or already be in that state.
    if (!isSuccess(result) && ![400, 404, 409].includes(result.status)) this.#surprise(verb, known, result);
    else if (result.status === 404) await this.#expectPresent(known);
  }

  async #deleteInstance(known: Known): Promise<void> {
    const result = await this.#call('compute', 'DELETE', `${instances}/${known.id}`);
    if (isSuccess(result) || (result.status === 404 && result.doubts > 0))
      this.instances.set(known.id, { ...known, deleted: true });
    else this.#surprise('DELETE', known, result);
  }

  /** Its instances are deleted with it. */
  async #deleteNetwork(): Promise<void> {
    const known = this.#random.pick(alive(this.networks));
    const used = alive(this.instances).filter(({ networkId }) => networkId === known.id);
    for (const instance of used) await this.#deleteInstance(instance);
    for (let doubts = 0; ;) {
      const result = await this.#call('region', 'DELETE', `${networks}/${known.id}`);
      doubts += result.doubts;
      if (isSuccess(result) || (result.status === 404 && doubts > 0)) {
        this.networks.set(known.id, { ...known, deleted: true });
        return;
      }
      if (result.status !== 403 && result.status !== 409) {
        this.#surprise('DELETE', known, result);
        return;
      }
      // The instances may not be gone yet. A refusal only speaks for its own attempt: an earlier one without an answer
      // may still delete the network, and is itself a reason for a conflict. Then the request is sent again.
      if (doubts === 0) return;
      await systemWorld.sleep(250);
    }
  }

  async #expectPresent(known: Known): Promise<void> {
    const result = await this.#call('compute', 'GET', `${instances}/${known.id}`);
    if (result.status !== 200) this.#surprise('GET', known, result);
  }

  /** The id of a new resource; undefined if it was refused. */
  async #created(service: 'region' | 'compute', path: string, body: Named): Promise<string | undefined> {
    const key = `${this.name}-${this.#count++}`;
    const result = await this.#call(service, 'POST', path, { body, key });
    if (isSuccess(result)) return (result.body as Shown).metadata.id;
    this.#surprise('POST', { id: path, ...body.metadata, deleted: false }, result);
    return undefined;
  }

  #newName(of: string): string {
    return `${this.name}-${of}-${this.#count++}`;
  }

  async #call(service: 'region' | 'compute', method: string, path: string, ask: Omit<Ask, 'token'> = {}) {
    const result = await this.#client.call(service, method, path, { token: this.#place.token, ...ask });
    const verb = /\/(start|stop)$/.exec(path)?.[1] ?? method;
    const label = `${verb} ${path.startsWith(networks) ? 'network' : 'instance'} ${result.status}`;
    this.done.set(label, (this.done.get(label) ?? 0) + 1);
    return result;
  }

  #surprise(what: string, { id, name }: Known, { status, body, doubts }: Result): void {
    this.surprises.push(`${what} ${name} (${id}) answered ${status} after ${doubts} doubts: ${JSON.stringify(body)}`);
  }
}

interface Named {
  readonly metadata: { readonly name: string; readonly description: string };
  readonly spec: object;
}

export function alive(known: ReadonlyMap<string, Known>): readonly Known[] {
  return [...known.values()].filter(({ deleted }) => !deleted);
}

function isSuccess({ status }: Result): boolean {
  return status >= 200 && status < 300;
}
