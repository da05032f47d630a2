import { Type } from 'typebox';

import { Cpu, Gpu, Quantity, SecretReference } from './hardware.ts';

/** A cluster whose node classes are the flavors. */
export const KubernetesRegion = Type.Object({
  /** Contains the key `kubeconfig`. */
  kubeConfigSecret: SecretReference,
  domainName: Type.Optional(Type.String()),
  nodes: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      cpu: Cpu,
      memory: Quantity,
      disk: Quantity,
      gpu: Type.Optional(Gpu),
    }),
  ),
});
