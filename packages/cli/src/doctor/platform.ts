import { ApiError, ConnectionError, dataOf } from '@unikorn/sdk';

import { addressOf } from '../contexts/contexts.ts';
import { findChosen } from '../contexts/defaults.ts';
import { readContexts } from '../contexts/file.ts';
import type { Place } from '../contexts/place.ts';
import { startCommand } from '../executable.ts';
import { waits } from '../limits.ts';
import { whoIs, whoText } from '../login/who.ts';
import { durationText } from '../output/duration.ts';
import { sessionAt, type Session } from '../session.ts';
import { versionsOf } from '../status/status.ts';
import type { Terminal } from '../terminal.ts';
import { certificateEnd } from './certificate.ts';
import { bad, good, type Check } from './check.ts';
import { judgeAccess, judgeCertificate, judgeClock, judgeVersions, reasonsIn } from './judgements.ts';
import { version } from './version.ts';

const services = ['identity', 'region', 'compute'] as const;
/** All checks of a control plane. */
export async function* examinePlatform(place: Place, terminal: Terminal): AsyncGenerator<Check> {
  const session = sessionAt(place, terminal, { retries: 0 });
  const signal = AbortSignal.any([terminal.signal, AbortSignal.timeout(waits.examination_ms)]);
  const reached = await reach(session, terminal, signal);
  yield* reached.checks;
  if (!reached.answers) return;
  for (const service of services) yield await checkReadiness(session, service, signal);
  const login = await checkLogin(session, terminal, signal);
  yield login;
  if (login.verdict === 'bad') return;
  yield judgeVersions(version, await versionsOf(session.unikorn));
  yield* checkDefaults(session);
}

async function reach(
  session: Session,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<{ readonly answers: boolean; readonly checks: readonly Check[] }> {
  const address = addressOf(session.place.endpoints);
  try {
    const { headers } = await session.unikorn.identity.untyped.send('GET', '/healthz', { signal });
    const clock = judgeClock(headers.get('date'), terminal.now());
    const tls = address.startsWith('https:')
      ? [judgeCertificate(await certificateEnd(new URL(address)), terminal.now())]
      : [];
    return { answers: true, checks: [good('network', `${address} answers`), ...tls, clock] };
  } catch (error) {
    return { answers: false, checks: [bad('network', messageOf(error), reachRemedy(error, address))] };
  }
}

function reachRemedy(error: unknown, address: string): string {
  if (error instanceof ConnectionError && /certificate|self.signed|verify/i.test(error.message))
    return 'if the certificate is from a private authority, set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority';
  if (/127\.0\.0\.1|localhost/.test(address)) return `is it running? ${startCommand()} starts it`;
  return 'is the address right, and are you on the right network? behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1';
}

async function checkReadiness(
  { unikorn }: Session,
  service: (typeof services)[number],
  signal: AbortSignal,
): Promise<Check> {
  try {
    await unikorn[service].untyped.send('GET', '/readyz', { signal });
    return good(service, 'ready');
  } catch (error) {
    const reasons = error instanceof ApiError ? reasonsIn(error.body) : undefined;
    return bad(
      service,
      reasons ?? messageOf(error),
      'wait a moment and try again; if the problem persists, ask the platform operator',
    );
  }
}

async function checkLogin(session: Session, terminal: Terminal, signal: AbortSignal): Promise<Check> {
  const { auth, endpoints } = session.place;
  try {
    const who = whoText(await whoIs(session, signal));
    if (auth.kind === 'token') return good('login', `${who}, by a token`);
    const kept = (await readContexts(terminal)).contexts[auth.context]?.auth;
    const left =
      kept && 'expiresAt' in kept
        ? `, renewed automatically in ${durationText(Date.parse(kept.expiresAt) - terminal.now().getTime())}`
        : '';
    return good('login', `${who}${left}`);
  } catch (error) {
    return bad('login', messageOf(error), `log in again: unikorn login ${addressOf(endpoints)}`);
  }
}

/** Whether the organization, project and region of commands still exist, and the caller may see them. */
async function* checkDefaults(session: Session): AsyncGenerator<Check> {
  const chosen = await findChosen(session);
  for (const { scope, called, kept } of chosen) {
    yield kept
      ? good(scope, kept.name)
      : bad(
          scope,
          `${called} no longer exists, or you may not see it`,
          `choose another: unikorn context set --${scope} name`,
        );
  }
  if (chosen.some(({ kept }) => !kept)) return;
  const organizationId = await session.optionalIdOf('organization');
  if (organizationId === undefined) return;
  const acl = await dataOf(
    session.unikorn.identity.GET('/api/v1/organizations/{organizationID}/acl', {
      params: { path: { organizationID: organizationId } },
    }),
  );
  yield judgeAccess(acl, { organizationId, projectId: await session.optionalIdOf('project') });
}

function messageOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no answer within ${waits.examination_ms / 1000} seconds`;
  return error instanceof Error ? error.message : String(error);
}
