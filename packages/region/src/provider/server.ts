import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { IdentityReference } from './identity.ts';
import type { Image, ImageDescription } from './image.ts';
import type { Provision, ResourceReference } from './provision.ts';

export const WantedServer = Type.Object({
  id: Type.String(),
  /** What the guest calls itself; never changes, because some clouds find a server by it. */
  name: Type.String(),
  flavorId: Type.String(),
  /** Taken at creation only; another image later is a `rebuild`, which is never implied. */
  imageId: Type.String(),
  networkId: Type.String(),
  /** The address it shall have; taken at creation only, and where it is taken by another, any other does. */
  privateIP: Type.Optional(Type.String()),
  securityGroupIds: Type.Array(Type.String()),
  publicIP: Type.Union([Type.Literal('wanted'), Type.Literal('unwanted')]),
  allowedAddressPairs: Type.Array(Type.Object({ cidr: Type.String(), macAddress: Type.Optional(Type.String()) })),
  keyPair: Type.Union([Type.Literal('identity'), Type.Literal('none')]),
  /** In base64; taken at creation only. */
  userData: Type.Optional(Type.String()),
  /** The one host it must run on. */
  infrastructureRef: Type.Optional(Type.String()),
  /** Readable from inside the guest. */
  metadata: Type.Record(Type.String(), Type.String()),
});
export type WantedServer = DeepReadonly<Static<typeof WantedServer>>;

export interface ServerReference extends ResourceReference {
  readonly name: string;
}

/** As the provider tells it; what it means for phase and health is not the provider's to say. */
export interface ObservedServer {
  readonly providerId: string;
  readonly status: 'queued' | 'building' | 'rebuilding' | 'active' | 'shutoff' | 'error' | 'deleting' | 'unknown';
  readonly power: 'running' | 'shutdown' | 'other';
  /** Whether the provider is doing something to it right now. */
  readonly task: 'idle' | 'active';
  /** Absent while it cannot be told. */
  readonly imageId?: string;
  readonly createdAt: string;
  /** When it first ran; kept ever after. */
  readonly launchedAt?: string;
  readonly privateIP?: string;
  readonly publicIP?: string;
  readonly macAddress?: string;
  /** Why it is in error, safe to show. */
  readonly fault?: string;
}

/**
 * The power verbs. Providers, the routes of servers and region's client all use these names; the contract has them as
 * paths.
 */
export const powerVerbs = ['start', 'stop', 'softreboot', 'hardreboot'] as const;
export type PowerVerb = (typeof powerVerbs)[number];

/**
 * Verbs fail with `not_found` where there is no such server and with `conflict` where its state does not allow them.
 */
export interface Servers extends Provision<ServerReference, WantedServer, ObservedServer> {
  power(identity: IdentityReference, server: ServerReference, verb: PowerVerb): Promise<void>;
  /** Replaces the root disk; everything else stays. Returns once the provider has accepted it. */
  rebuild(identity: IdentityReference, server: ServerReference, imageId: string): Promise<void>;
  /** The last lines of what it wrote to its console, or all of them. */
  consoleOutput(identity: IdentityReference, server: ServerReference, lines?: number): Promise<string>;
  /** An address that lets whoever knows it use the console. */
  consoleSession(identity: IdentityReference, server: ServerReference): Promise<{ readonly url: string }>;
  /** A new image of its disk, which is there before its data is. The same id asked for again is the same image. */
  snapshot(identity: IdentityReference, server: ServerReference, image: ImageDescription): Promise<Image>;
}
