import { Type } from 'typebox';

import { VlanId } from './common.ts';
import { Cpu, Gpu, Quantity, SecretReference } from './hardware.ts';

const Ids = Type.Object({ ids: Type.Array(Type.String()) });

/** Data about a flavor that OpenStack does not provide, or provides wrongly. */
const FlavorMetadata = Type.Object({
  id: Type.String(),
  baremetal: Type.Optional(Type.Boolean()),
  cpu: Type.Optional(Cpu),
  memory: Type.Optional(Quantity),
  gpu: Type.Optional(Gpu),
  /** Only for servers that name the host on which they run. */
  pinnedOnly: Type.Optional(Type.Boolean()),
});

/** Upper limits, not guaranteed values. */
const Performance = Type.Object({
  maxIOPS: Type.Optional(Type.Integer({ minimum: 1 })),
  maxThroughputMiBps: Type.Optional(Type.Integer({ minimum: 1 })),
});

const VolumeClassMetadata = Type.Object({
  id: Type.String(),
  media: Type.Optional(Type.Union([Type.Literal('hdd'), Type.Literal('ssd'), Type.Literal('nvme')])),
  performance: Type.Optional(Performance),
  encrypted: Type.Optional(Type.Boolean()),
});

const Compute = Type.Object({
  serverGroupPolicy: Type.Optional(Type.String()),
  placementPreflight: Type.Optional(
    Type.Object({ enabled: Type.Boolean(), requiredTraits: Type.Optional(Type.Array(Type.String())) }),
  ),
  flavors: Type.Optional(
    Type.Object({ selector: Type.Optional(Ids), metadata: Type.Optional(Type.Array(FlavorMetadata)) }),
  ),
});

const ProviderNetworks = Type.Object({
  physicalNetwork: Type.Optional(Type.String()),
  vlan: Type.Optional(
    Type.Object({ segments: Type.Array(Type.Object({ startId: VlanId, endId: VlanId }), { maxItems: 64 }) }),
  ),
});

const Network = Type.Object({
  externalNetworks: Type.Optional(
    Type.Object({
      selector: Type.Object({
        ids: Type.Optional(Type.Array(Type.String())),
        tags: Type.Optional(Type.Array(Type.String())),
      }),
    }),
  ),
  providerNetworks: Type.Optional(ProviderNetworks),
});

export const OpenstackRegion = Type.Object({
  /** The URL of Keystone. */
  endpoint: Type.String(),
  /** The name of the region in the cloud, if the cloud has several. */
  regionName: Type.Optional(Type.String({ maxLength: 255 })),
  /** Which service endpoints are used; the public ones by default. */
  interface: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('internal'), Type.Literal('admin')])),
  /** How the certificate of the cloud is checked. `authority`: certificates in PEM, added to those of the machine. */
  tls: Type.Optional(
    Type.Object({
      verify: Type.Optional(Type.Boolean()),
      authority: Type.Optional(Type.String({ maxLength: 65_536 })),
    }),
  ),
  /** Contains the keys `domain-id`, `project-id`, `user-id` and `password`. */
  serviceAccountSecret: SecretReference,
  identity: Type.Optional(Type.Object({ clusterRoles: Type.Optional(Type.Array(Type.String())) })),
  compute: Type.Optional(Compute),
  /** If a signing key is set, only images that it signed are offered. It is a public ECDSA key in PEM. */
  image: Type.Optional(
    Type.Object({
      selector: Type.Optional(Type.Object({ signingKey: Type.Optional(Type.String()) })),
      /** IPv4 prefixes from which images may be imported, besides public addresses; none by default. */
      privateSources: Type.Optional(Type.Array(Type.String({ maxLength: 18 }), { maxItems: 64 })),
    }),
  ),
  network: Type.Optional(Network),
  blockStorage: Type.Optional(
    Type.Object({
      volumeClasses: Type.Optional(
        Type.Object({ selector: Type.Optional(Ids), metadata: Type.Optional(Type.Array(VolumeClassMetadata)) }),
      ),
    }),
  ),
});
