import { Type, type Static } from 'typebox';

import { listShape, wholeOf } from './pages.ts';
import type { Session } from './session.ts';
import { Nullable } from './shape.ts';

const Node = Type.Object({
  uuid: Type.String(),
  instance_uuid: Nullable(Type.String()),
  provision_state: Nullable(Type.String()),
});
export type Node = Readonly<Static<typeof Node>>;

const nodes = listShape('nodes', Node);

/** The machines that a server was placed on: one, or none yet. */
export async function nodesOfServer(session: Session, serverId: string): Promise<readonly Node[]> {
  const query = { instance_uuid: serverId };
  const doing = 'reading the state of the machine';
  const found = await wholeOf(session, { service: 'baremetal', path: '/nodes/detail', query, doing }, nodes);
  return found.filter(({ instance_uuid }) => instance_uuid === serverId);
}
