import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** The sub-protocol: binary frames carry the bytes of the line, and text frames of the server are one of `Frame`. */
export const lineProtocol = 'terminal.unikorn-cloud.org';

/** A browser cannot send headers with a WebSocket, so it sends its token as the rest of a sub-protocol. */
const bearerProtocol = 'base64url.bearer.unikorn-cloud.org.';

/**
 * The first frame of a line that is connected, a sign of life for browsers, which do not show pings to their pages, and
 * the last frame of a line that ended for a reason.
 */
const Frame = Type.Union([
  Type.Object({ type: Type.Union([Type.Literal('open'), Type.Literal('alive')]) }),
  Type.Object({
    type: Type.Literal('end'),
    status: Type.Integer(),
    error: Type.String(),
    error_description: Type.String(),
    trace_id: Type.Optional(Type.String()),
  }),
]);
export type Frame = Static<typeof Frame>;

const frame = Compile(Frame);

export function frameOf(text: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return frame.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The token in the sub-protocols that a client offers.
 *
 * @example tokenIn('terminal.unikorn-cloud.org, base64url.bearer.unikorn-cloud.org.c2VjcmV0'); // 'secret'
 */
export function tokenIn(protocols: string): string | undefined {
  const offered = protocols
    .split(',')
    .map((each) => each.trim())
    .find((each) => each.startsWith(bearerProtocol));
  return offered === undefined
    ? undefined
    : Buffer.from(offered.slice(bearerProtocol.length), 'base64url').toString('utf8');
}

/** The codes that are not `4000 + status`. */
export const closeCodes = { over: 1000, stopping: 1001, unexpected: 1011 } as const;

export function closeCodeOf(status: number): number {
  return status === 500 ? closeCodes.unexpected : 4000 + status;
}

/** The reason of a close frame has at most 123 bytes. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= 123
    ? text
    : `${bytes
        .subarray(0, 117)
        .toString('utf8')
        .replace(/\uFFFD$/u, '')}…`;
}
