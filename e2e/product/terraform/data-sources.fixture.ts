import { child, type Json } from '../../../packages/core/src/testing/json.ts';
import { Refusal, type Client } from './client.fixture.ts';

/** The object of a list that a data source names; a missing one is an error. */
function picked(list: readonly Json[], id: string): Json {
  const found = list.find((item) => child(item, 'metadata', 'id') === id);
  if (!found) throw new Error(`${id} does not exist`);
  return found;
}

/** The data sources of a configuration. Those of resources use the reads of the resources. */
export class DataSources {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async region(id = this.#client.settings.regionId): Promise<Json> {
    return picked(
      await this.#client.list('region', `/api/v1/organizations/${this.#client.settings.organizationId}/regions`),
      id,
    );
  }

  async flavor(id: string, regionId = this.#client.settings.regionId): Promise<Json> {
    const { organizationId } = this.#client.settings;
    return picked(
      await this.#client.list('compute', `/api/v1/organizations/${organizationId}/regions/${regionId}/flavors`),
      id,
    );
  }

  async fileStorageClass(id: string, regionIds: readonly string[]): Promise<Json> {
    return picked(
      await this.#client.list(
        'region',
        `/api/v2/filestorageclasses?${regionIds.map((regionId) => `regionID=${regionId}`).join('&')}`,
      ),
      id,
    );
  }

  /** Null, with a warning, for an instance without a key. */
  async sshKey(instanceId: string): Promise<string | null> {
    try {
      const answer = await this.#client.call('compute', 'GET', `/api/v2/instances/${instanceId}/sshkey`);
      return String(child(answer, 'privateKey'));
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return null;
      throw error;
    }
  }
}
