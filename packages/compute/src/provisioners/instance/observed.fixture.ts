import { afterAll, afterEach, beforeAll } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import type { RegionClient } from '@unikorn/region/client';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../../kinds/index.ts';
import { startCompute, type RunningCompute } from '../../testing/index.ts';
import { bear, recorded, until, type change } from './stage.fixture.ts';

type Between = (regionClient: RegionClient) => RegionClient;

/** The error of a region that does not answer. */
export const away = () =>
  Promise.reject(new Problem('server_error', 'region cannot be reached at the moment: try again'));

const untouched: Between = (regionClient) => regionClient;

/**
 * One compute for all tests of a file. Each test begins and ends without instances. The calls of its controller are
 * counted.
 */
export class ObservedCompute {
  /** The calls to region. */
  readonly calls: string[] = [];
  /** Intercepts calls to region. */
  between: Between = untouched;
  counts = { writes: 0, looks: 0, lists: 0 };
  #running: RunningCompute | undefined;

  constructor() {
    beforeAll(async () => {
      this.#running = await startCompute({
        regionClient: (regionClient) => this.#passing(recorded(regionClient, this.calls)),
        around: (call, happen) => {
          if (call.verb === 'updateStatus' && call.kind.id === ComputeInstance.id) this.counts.writes++;
          if (call.verb === 'list' && (call.kind.id === ComputeInstance.id || call.kind.id === Server.id))
            this.counts.lists++;
          return happen();
        },
      });
    });
    afterEach(() => this.#clear());
    afterAll(() => this.running.stop());
  }

  get running(): RunningCompute {
    if (!this.#running) throw new Error('compute has not been started');
    return this.#running;
  }

  /** Removes the interception. */
  letPass(): void {
    this.between = untouched;
  }

  turn(knobs: Parameters<ReturnType<RunningCompute['operator']>['turn']>[0]) {
    return this.running.operator(this.running.regionId).turn(knobs);
  }

  instance(id: string) {
    return this.running.store.get(ComputeInstance, id);
  }

  server(id: string) {
    return this.running.store.get(Server, id);
  }

  /** A running instance; the calls of its creation are not counted. */
  async provisioned(name: string, spec: Parameters<typeof change>[2] = {}): Promise<string> {
    const id = await bear(this.running, { name, spec });
    await until(this.running, id, 'Provisioned');
    this.calls.length = 0;
    return id;
  }

  #passing(regionClient: RegionClient): RegionClient {
    const current = () => this.between(regionClient);
    return {
      ...regionClient,
      server: (on, id) => {
        this.counts.looks++;
        return current().server(on, id);
      },
      network: (on, id) => current().network(on, id),
      createServer: (on, server) => current().createServer(on, server),
      updateServer: (on, id, server) => current().updateServer(on, id, server),
      deleteServer: (on, id) => current().deleteServer(on, id),
      power: (on, id, verb) => current().power(on, id, verb),
    };
  }

  async #clear(): Promise<void> {
    this.letPass();
    await this.turn({ build_ms: 0, delete_ms: 0, buildFailureRate: 0, service: 'up' });
    for (const { metadata } of (await this.running.store.list(ComputeInstance)).items) {
      await this.running.store.delete(ComputeInstance, metadata.name);
      await until(this.running, metadata.name, 'gone');
    }
    this.calls.length = 0;
  }
}
