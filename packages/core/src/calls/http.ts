import { encodePrincipal } from '../access/index.ts';
import { defined } from '../defined.ts';
import type { ServerEvent } from '../http/index.ts';
import { isProblem } from '../errors/index.ts';
import { internalLimits } from '../limits.ts';
import { traceHeaders, type Telemetry } from '../telemetry/index.ts';
import { TenureLost } from '../tenure.ts';
import type { World } from '../world/index.ts';
import { addressOf } from './address.ts';
import type { OnBehalf, ServiceCall, ServiceCalls } from './calls.ts';
import type { ChannelAnswer, ChannelRequest, ChannelStream, HttpChannel } from './channel.ts';
import { eventsOf } from './events.ts';
import { answeredProblem, parseJson, unavailable } from './refusal.ts';
import { resumed } from './resume.ts';

export interface HttpCallsOptions {
  /** The called service, as messages name it. */
  readonly service: string;
  readonly channel: HttpChannel;
  readonly world: World;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

/**
 * Calls the operations of a service in another process. The certificate of the channel says which service calls.
 * Headers carry the principal, the impersonation and the trace.
 *
 * @example
 * const identity = identityClient(httpCalls({ service: 'identity', channel: httpChannel({ baseUrl, world, tls }), world, telemetry }));
 */
export function httpCalls({ service, channel, world, telemetry }: HttpCallsOptions): ServiceCalls {
  const open = async (
    onBehalf: OnBehalf,
    call: ServiceCall,
    signal: AbortSignal,
    position: string | undefined,
  ): Promise<AsyncIterable<ServerEvent>> => {
    const { method, path, headers } = requestOf(onBehalf, call);
    const answer = await reaching(service, () =>
      channel.stream(
        {
          method,
          path,
          headers: { ...headers, accept: 'text/event-stream', ...defined({ 'last-event-id': position }) },
        },
        signal,
      ),
    );
    if (answer.status !== 200) throw answeredProblem(service, await beginningOf(answer));
    return eventsOf(answer.chunks);
  };
  return {
    service,
    inProcess: false,
    async call(onBehalf, call) {
      const answer = await reaching(service, () => channel.send(requestOf(onBehalf, call)));
      if (answer.status < 200 || answer.status > 299) throw answeredProblem(service, answer);
      return { status: answer.status, headers: answer.headers, ...bodyOf(service, answer) };
    },
    async open(onBehalf, call, signal) {
      const { path, headers } = requestOf(onBehalf, call);
      const problemOf = (status: number, text: string) => answeredProblem(service, { status, text, headers: {} });
      try {
        return await channel.open({ path, headers, problemOf }, signal);
      } catch (error) {
        throw isProblem(error) ? error : unavailable(service, error);
      }
    },
    watch: (onBehalf, call, options) =>
      resumed((position) => open(onBehalf, call, options.signal, position), options, {
        world,
        telemetry,
        what: `${service} ${call.path}`,
      }),
  };
}

/**
 * Sends a request. A missing response becomes an `unavailable` problem: the user's request did not cause it.
 *
 * @example const answer = await reaching('identity', () => channel.send(request));
 */
export async function reaching<T>(service: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw cause instanceof TenureLost ? cause : unavailable(service, cause);
  }
}

function requestOf({ principal, impersonate }: OnBehalf, call: ServiceCall): ChannelRequest {
  const { method, body, idempotencyKey } = call;
  return {
    method,
    path: addressOf(call),
    headers: {
      ...traceHeaders(),
      'x-principal': encodePrincipal(principal),
      ...(impersonate ? { 'x-impersonate': 'true' } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...defined({ 'idempotency-key': idempotencyKey }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    repeatable: isRepeatable(call),
  };
}

/** PUT and DELETE are idempotent, so it is safe to send them twice. */
function isRepeatable({ method, idempotencyKey }: ServiceCall): boolean {
  return method === 'GET' || method === 'PUT' || method === 'DELETE' || idempotencyKey !== undefined;
}

function bodyOf(service: string, { status, text }: ChannelAnswer): { readonly body?: unknown } {
  if (text === '') return {};
  const body = parseJson(text);
  if (body === undefined)
    throw unavailable(service, new Error(`${service} answered ${status} with a body that is not JSON`));
  return { body };
}

async function beginningOf({ status, headers, chunks }: ChannelStream): Promise<ChannelAnswer> {
  const taken: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    taken.push(chunk);
    size += chunk.length;
    if (size > internalLimits.refusalBytes) break;
  }
  return { status, headers, text: Buffer.concat(taken).toString() };
}
