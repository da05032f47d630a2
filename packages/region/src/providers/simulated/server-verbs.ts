import type { Line } from '@unikorn/core/lines';

import {
  ProviderFailure,
  type IdentityReference,
  type Image,
  type ImageDescription,
  type PowerVerb,
  type ServerReference,
  type Servers,
  type ObservedServer,
  type WantedServer,
} from '../../provider/index.ts';
import type { Cloud } from './cloud.ts';
import { consoleLines } from './console.ts';
import type { SimulatedImages } from './images.ts';
import { limits } from './limits.ts';
import { SimulatedProvision, type Tenancy } from './provision.ts';
import { afterPower, afterRebuild, conditionOf, type ServerBody } from './server-state.ts';
import type { ServerSort } from './servers.ts';
import { openTerminal, terminalOf } from './terminal.ts';

/** Servers, and the verbs of an existing server. */
export class SimulatedServers
  extends SimulatedProvision<ServerReference, WantedServer, ServerBody, ObservedServer>
  implements Servers
{
  readonly #cloud: Cloud;
  readonly #sort: ServerSort;
  readonly #images: SimulatedImages;

  constructor(cloud: Cloud, tenancy: Tenancy<IdentityReference>, sort: ServerSort, images: SimulatedImages) {
    super(cloud, tenancy, sort);
    this.#cloud = cloud;
    this.#sort = sort;
    this.#images = images;
  }

  power(identity: IdentityReference, server: ServerReference, verb: PowerVerb): Promise<void> {
    return this.verb(identity, server, async ({ name }, { now, knobs }) => {
      await this.#sort.records.change(name, (body) => afterPower(body, verb, now, knobs.power_ms));
    });
  }

  rebuild(identity: IdentityReference, server: ServerReference, imageId: string): Promise<void> {
    return this.verb(identity, server, async ({ name, body }, { now, knobs, holdings }) => {
      const build = { duration_ms: knobs.build_ms, fault: this.#sort.faultOfBuild(knobs) };
      // Checked before the image is claimed, so that a refusal leaves no claim.
      afterRebuild(body, imageId, now, build);
      await this.#images.use(holdings, imageId);
      await this.#sort.records.change(name, (current) => afterRebuild(current, imageId, now, build));
      if (body.imageId !== imageId) await this.#images.unuse(holdings, body.imageId);
    });
  }

  consoleOutput(identity: IdentityReference, server: ServerReference, lines?: number): Promise<string> {
    return this.verb(identity, server, ({ body }, { now }) => {
      const booted = body.launchedAt === undefined ? [] : consoleLines(body, now - body.bootedAt);
      const text = booted.join('\n') + terminalOf(body).text.replaceAll('\r', '');
      const all = text === '' ? [] : text.split('\n').slice(-limits.consoleLinesKept);
      return Promise.resolve((lines === undefined ? all : all.slice(Math.max(0, all.length - lines))).join('\n'));
    });
  }

  consoleSession(identity: IdentityReference, server: ServerReference): Promise<{ readonly url: string }> {
    return this.verb(identity, server, ({ body }, { now }) => {
      if (conditionOf(body, now).status !== 'active')
        throw new ProviderFailure('conflict', 'only a running machine has a console');
      return Promise.resolve({
        url: `https://console.simulated.invalid/${body.providerId}?token=${this.#cloud.world.uuid()}`,
      });
    });
  }

  terminal(identity: IdentityReference, server: ServerReference, signal: AbortSignal): Promise<Line> {
    return this.verb(identity, server, ({ name, body }, { now }) => {
      if (conditionOf(body, now).power !== 'running')
        throw new ProviderFailure('conflict', 'only a running machine has a terminal');
      const { store, world } = this.#cloud;
      return Promise.resolve(openTerminal({ store, world, records: this.#sort.records, name, signal }));
    });
  }

  snapshot(identity: IdentityReference, server: ServerReference, image: ImageDescription): Promise<Image> {
    return this.verb(identity, server, async ({ body }, { now, knobs }) => {
      if (image.organizationId === undefined)
        throw new ProviderFailure('invalid', 'a snapshot must belong to an organization');
      const { status, task } = conditionOf(body, now);
      if (task === 'active' || status === 'error')
        throw new ProviderFailure('conflict', 'only a server that is running or stopped can be copied');
      return this.#images.store(image, knobs, {
        identityId: identity.id,
        size_gib: await this.#images.sizeOf(body.imageId),
      });
    });
  }
}
