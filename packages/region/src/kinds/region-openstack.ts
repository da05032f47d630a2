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
  /** Only for servers that name the host they run on. */
  pinnedOnly: Type.Optional(Type.Boolean()),
});

/** Caps and not reservations. */
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
  /** Of Keystone. */
  endpoint: Type.String(),
  /** The region of the cloud, where it has several. */
  regionName: Type.Optional(Type.String({ maxLength: 255 })),
  /** Which of the addresses of its services are used; the public ones unless given. */
  interface: Type.Optional(Type.Union([Type.Literal('public'), Type.Literal('internal'), Type.Literal('admin')])),
  /** How the certificate of the cloud is checked. `authority` are certificates in PEM, beside those of the machine. */
  tls: Type.Optional(
    Type.Object({
      verify: Type.Optional(Type.Boolean()),
      authority: Type.Optional(Type.String({ maxLength: 65_536 })),
    }),
  ),
  /** Holds the keys `domain-id`, `project-id`, `user-id` and `password`. */
  serviceAccountSecret: SecretReference,
  identity: Type.Optional(Type.Object({ clusterRoles: Type.Optional(Type.Array(Type.String())) })),
  compute: Type.Optional(Compute),
  /** With a signing key, only images signed by it are offered: a public ECDSA key in PEM. */
  image: Type.Optional(
    Type.Object({ selector: Type.Optional(Type.Object({ signingKey: Type.Optional(Type.String()) })) }),
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
