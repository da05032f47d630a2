import type { Line } from '@unikorn/core/lines';

import { isProviderFailure, ProviderFailure } from '../../provider/index.ts';
import { nova, type Session } from './client/index.ts';
import { limits } from './limits.ts';

/**
 * A terminal at the serial console of a server, through the proxy of Nova. The proxy has no old text, so the end of the
 * console output comes first.
 */
export async function openSerialConsole(session: Session, serverId: string, signal: AbortSignal): Promise<Line> {
  const url = await serialAddress(session, serverId);
  const before = await textBefore(session, serverId);
  const line = await session.dial(url, 'opening the serial console', signal);
  return { ...line, pieces: withBefore(before, line.pieces) };
}

async function serialAddress(session: Session, serverId: string): Promise<string> {
  try {
    return await nova.createSerialConsole(session, serverId);
  } catch (error) {
    // Nova answers 400 where serial consoles are not enabled, and 501 where the driver has none.
    if (!isProviderFailure(error, 'invalid')) throw error;
    throw new ProviderFailure(
      'invalid',
      'the cloud of this region offers no serial console for this machine: read its console output, or open a console session',
      { cause: error },
    );
  }
}

/** Some drivers have a serial console and no console output. */
async function textBefore(session: Session, serverId: string): Promise<string> {
  try {
    return await nova.consoleOutput(session, serverId, limits.terminalLines);
  } catch (error) {
    if (!isProviderFailure(error)) throw error;
    return '';
  }
}

async function* withBefore(text: string, pieces: Line['pieces']): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'));
  try {
    yield* pieces;
  } catch (error) {
    throw isProviderFailure(error)
      ? error
      : new ProviderFailure('unavailable', 'the connection to the serial console broke: open it again', {
          cause: error,
        });
  }
}
