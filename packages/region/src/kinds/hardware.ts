import { Type } from 'typebox';

/** A number of bytes, with or without a binary unit. */
export const Quantity = Type.String({ pattern: '^[1-9][0-9]*(?:[KMGTP]i)?$' });

export const Cpu = Type.Object({
  architecture: Type.Optional(Type.Union([Type.Literal('x86_64'), Type.Literal('aarch64')])),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  family: Type.Optional(Type.String()),
});

export const Gpu = Type.Object({
  vendor: Type.Union([Type.Literal('NVIDIA'), Type.Literal('AMD')]),
  model: Type.String(),
  /** The number that is shown to users. */
  physicalCount: Type.Integer({ minimum: 1 }),
  /** The number for scheduling: a card may count as several GPUs. */
  logicalCount: Type.Integer({ minimum: 1 }),
  /** Memory of one logical GPU. */
  memory: Quantity,
});

/** Names a secret of the cluster that the service runs in. */
export const SecretReference = Type.Object({ namespace: Type.String(), name: Type.String() });
