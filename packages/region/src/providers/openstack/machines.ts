import { ironic, type Session } from './client/index.ts';

/** The states of a machine while it is deployed, or after that failed. In all others it is made ready first. */
const deploying = new Set(['deploying', 'wait call-back', 'deploy wait', 'deploy hold', 'deploy failed', 'active']);

/** Whether a bare metal server still waits for its machine to be made ready. Without access to Ironic it does not. */
export async function waitsForMachine(session: Session, serverId: string): Promise<boolean> {
  const nodes = await ironic.nodesOfServer(session, serverId).catch(() => undefined);
  const state = nodes?.[0]?.provision_state ?? '';
  return nodes !== undefined && !deploying.has(state) && !/fail|error/.test(state);
}
