import type { DeepReadonly } from '@unikorn/core/kinds';
import type { Line } from '@unikorn/core/lines';
import { Type, type Static } from 'typebox';

import type { IdentityReference } from './identity.ts';
import type { Image, ImageDescription } from './image.ts';
import type { Provision, ResourceReference } from './provision.ts';

export const WantedServer = Type.Object({
  id: Type.String(),
  /** The host name of the guest. It never changes, because some clouds find a server by it. */
  name: Type.String(),
  flavorId: Type.String(),
  /** Only used at creation. Another image later needs a `rebuild`, which never happens implicitly. */
  imageId: Type.String(),
  networkId: Type.String(),
  /** The preferred address. It is only used at creation; if it is in use, the server gets another one. */
  privateIP: Type.Optional(Type.String()),
  securityGroupIds: Type.Array(Type.String()),
  publicIP: Type.Union([Type.Literal('wanted'), Type.Literal('unwanted')]),
  allowedAddressPairs: Type.Array(Type.Object({ cidr: Type.String(), macAddress: Type.Optional(Type.String()) })),
  keyPair: Type.Union([Type.Literal('identity'), Type.Literal('none')]),
  /** In base64; only used at creation. */
  userData: Type.Optional(Type.String()),
  /** The host that it must run on. */
  infrastructureRef: Type.Optional(Type.String()),
  /** Readable from inside the guest. */
  metadata: Type.Record(Type.String(), Type.String()),
});
export type WantedServer = DeepReadonly<Static<typeof WantedServer>>;

export interface ServerReference extends ResourceReference {
  readonly name: string;
}

/** The state that the provider reports. Region derives phase and health from it. */
export interface ObservedServer {
  readonly providerId: string;
  readonly status: 'queued' | 'building' | 'rebuilding' | 'active' | 'shutoff' | 'error' | 'deleting' | 'unknown';
  readonly power: 'running' | 'shutdown' | 'other';
  /** Whether the provider is working on it now. */
  readonly task: 'idle' | 'active';
  /** Absent while it is not known. */
  readonly imageId?: string;
  /** Absent while it is not known. */
  readonly createdAt?: string;
  /** When it first ran. It never changes after that. */
  readonly launchedAt?: string;
  readonly privateIP?: string;
  readonly publicIP?: string;
  readonly macAddress?: string;
  /** Why it is in error; safe to show to users. */
  readonly fault?: string;
}

/**
 * The power verbs. Providers, the routes of servers and region's client all use these names; the contract has them as
 * paths.
 */
export const powerVerbs = ['start', 'stop', 'softreboot', 'hardreboot'] as const;
export type PowerVerb = (typeof powerVerbs)[number];

/** Verbs throw `not_found` if the server does not exist, and `conflict` if its state does not allow them. */
export interface Servers extends Provision<ServerReference, WantedServer, ObservedServer> {
  power(identity: IdentityReference, server: ServerReference, verb: PowerVerb): Promise<void>;
  /** Replaces the root disk and nothing else. Returns once the provider has accepted it. */
  rebuild(identity: IdentityReference, server: ServerReference, imageId: string): Promise<void>;
  /** The last lines of its console output, or all of them. */
  consoleOutput(identity: IdentityReference, server: ServerReference, lines?: number): Promise<string>;
  /** A URL that gives access to the console to everybody who knows it. */
  consoleSession(identity: IdentityReference, server: ServerReference): Promise<{ readonly url: string }>;
  /**
   * A terminal at its serial console. It begins with the text that the console still has. All terminals of a server
   * show the same. The signal ends it. Throws `invalid`, with the reason, if the cloud offers no serial console.
   */
  terminal(identity: IdentityReference, server: ServerReference, signal: AbortSignal): Promise<Line>;
  /**
   * Creates an image of its disk, which exists before its data is available. A repeated request with the same id gets
   * the same image.
   */
  snapshot(identity: IdentityReference, server: ServerReference, image: ImageDescription): Promise<Image>;
}
