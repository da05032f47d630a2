import { expect } from 'vitest';

import type { Json } from './cloud/caller.ts';
import { eventually, type Product } from './product.fixture.ts';

type Service = 'identity' | 'region' | 'compute';

/** The administrator of the demo organization, who uses nothing but the public API. */
export class Tenant {
  readonly #product: Product;
  readonly #organizationId: string;

  constructor(product: Product) {
    this.#product = product;
    this.#organizationId = product.credentials.organizationId ?? '';
  }

  /** A request that must be accepted. */
  async ask(service: Service, method: string, path: string, body?: object): Promise<Json> {
    const answer = await this.#product.call(service, method, path, body ? { body } : {});
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** Returns the path of the new resource. */
  async make(service: Service, collection: string, name: string, spec: object): Promise<string> {
    const made = await this.ask(service, 'POST', collection, { metadata: { name }, spec });
    return `${collection}/${made.metadata.id}`;
  }

  /** Changes some fields of the specification. */
  async change(service: Service, path: string, fields: object): Promise<void> {
    const { metadata, spec } = await this.ask(service, 'GET', path);
    await this.ask(service, 'PUT', path, { metadata: { name: metadata.name }, spec: { ...spec, ...fields } });
  }

  /** Waits until a resource is as wanted. An error of the resource ends the wait. */
  async until(service: Service, path: string, holds: (resource: Json) => boolean = () => true): Promise<Json> {
    const { status, body } = await eventually(
      () => this.#product.call(service, 'GET', path),
      (seen) =>
        seen.status !== 200 ||
        seen.body.metadata.provisioningStatus === 'error' ||
        (seen.body.metadata.provisioningStatus === 'provisioned' && holds(seen.body)),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.metadata.provisioningStatus, JSON.stringify(body)).toBe('provisioned');
    return body;
  }

  async remove(service: Service, path: string): Promise<void> {
    await this.ask(service, 'DELETE', path);
  }

  async untilGone(service: Service, path: string): Promise<void> {
    await eventually(
      () => this.#product.call(service, 'GET', path),
      ({ status }) => status === 404,
    );
  }

  /** The id of a flavor or an image of a region. */
  async idOf(regionId: string, what: 'flavors' | 'images', name: string): Promise<string> {
    const offered = await this.ask(
      'region',
      'GET',
      `/api/v1/organizations/${this.#organizationId}/regions/${regionId}/${what}`,
    );
    return offered.find(({ metadata }: Json) => metadata.name === name).metadata.id;
  }
}

/** The id at the end of the path of a resource. */
export function idIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
