import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

const Status = Type.Object({
  kind: Type.Literal('Status'),
  code: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      kind: Type.Optional(Type.String()),
      uid: Type.Optional(Type.String()),
    }),
  ),
  metadata: Type.Optional(Type.Object({ continue: Type.Optional(Type.String()) })),
});
const status = Compile(Status);

/** The answer of an API server that is not an object: a refusal, or the result of a deletion. */
export type Status = Static<typeof Status>;

export function statusOf(body: unknown): Status | undefined {
  return status.Check(body) ? body : undefined;
}
