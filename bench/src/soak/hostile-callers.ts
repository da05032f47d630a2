import { connect } from 'node:net';

import { Client, granted, pause, type Answer } from './client.ts';
import type { Tenant } from './stage.ts';

/** The input of a hostile caller, and its callback for results. */
export interface Attack {
  readonly base: string;
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
  readonly tell: (what: string, status: number) => void;
}

/**
 * The pause between requests. Hostile callers share the machine with the server, and without a pause they would take
 * its CPU.
 */
const breath_ms = 5;

/** The largest accepted description of several sizes. Refused sizes are stopped by a limit. */
async function largestDescription({ base, tenant }: Attack): Promise<string> {
  const client = new Client(base, tenant.token);
  const { organizationId, projectId } = tenant;
  try {
    for (const size of [240_000, 60_000, 16_000, 4_000, 1_000, 255]) {
      const name = `try-${size}`;
      const { status } = await client.ask('POST', '/region/api/v2/sshcertificateauthorities', {
        metadata: { name, description: 'x'.repeat(size) },
        spec: { organizationId, projectId, publicKey },
      });
      if (status < 300) return 'x'.repeat(size);
    }
    return '';
  } finally {
    client.close();
  }
}

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDmMXyZRyTnrNTSQ3ge6aizOSFjnmqL1RDIxfy6Tl36B';

async function inLoop(
  { signal, tell }: Attack,
  what: string,
  lanes: number,
  act: (lane: number, round: number) => Promise<Answer>,
): Promise<void> {
  const lane = async (number: number) => {
    for (let round = 0; !signal.aborted; round += 1) {
      tell(what, (await act(number, round)).status);
      await pause(breath_ms);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}

/** Fills the region with as many large objects as possible. */
async function fillWithLarge(attack: Attack): Promise<void> {
  const { base, tenant } = attack;
  const client = new Client(base, tenant.token);
  const description = await largestDescription(attack);
  const rules = Array.from({ length: 50 }, (_, number) => ({
    direction: 'ingress',
    protocol: 'tcp',
    port: number + 1,
    prefix: '10.0.0.0/8',
  }));
  await inLoop(attack, 'large objects', 4, (lane, round) =>
    client.ask('POST', '/region/api/v2/securitygroups', {
      metadata: { name: `large-${lane}-${round}`, description },
      spec: { networkId: tenant.networkId, rules },
    }),
  );
  client.close();
}

/** Requests everything on many connections, and reads none of the responses. */
async function leaveUnread({ base, tenant, signal, tell }: Attack): Promise<void> {
  const { hostname: host, port } = new URL(base);
  const lane = async () => {
    while (!signal.aborted) {
      const socket = connect({ host, port: Number(port) });
      const closed = new Promise<void>((resolve) =>
        socket
          .on('close', () => {
            resolve();
          })
          .on('error', () => {
            resolve();
          }),
      );
      socket.pause();
      socket.write(
        `GET /region/api/v2/securitygroups HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${tenant.token}\r\n\r\n`,
      );
      await Promise.race([closed, untilAborted(signal), pause(120_000)]);
      tell('unread lists', socket.destroyed ? 0 : 200);
      socket.destroy();
      await pause(breath_ms);
    }
  };
  await Promise.all(Array.from({ length: 14 }, lane));
}

/** Writes one large object repeatedly. */
async function stormPuts(attack: Attack): Promise<void> {
  const { base, tenant } = attack;
  const client = new Client(base, tenant.token);
  const description = await largestDescription(attack);
  const rules = (round: number) =>
    Array.from({ length: 100 }, (_, number) => ({
      direction: 'ingress',
      protocol: 'tcp',
      port: ((number + round) % 60_000) + 1,
      prefix: '10.0.0.0/8',
    }));
  const { metadata } = await granted(client, 'POST', '/region/api/v2/securitygroups', {
    metadata: { name: 'storm' },
    spec: { networkId: tenant.networkId, rules: [] },
  });
  await inLoop(attack, 'large changes', 4, (lane, round) =>
    client.ask('PUT', `/region/api/v2/securitygroups/${metadata.id}`, {
      metadata: { name: 'storm', description: `${lane} ${description}` },
      spec: { rules: rules(round) },
    }),
  );
  client.close();
}

/** Changes one instance repeatedly, which makes its history long. */
async function editOne(attack: Attack): Promise<void> {
  const { base, tenant } = attack;
  const client = new Client(base, tenant.token);
  const { organizationId, projectId, networkId, flavorId, imageId } = tenant;
  const { metadata } = await granted(client, 'POST', '/compute/api/v2/instances', {
    metadata: { name: 'edited' },
    spec: { organizationId, projectId, networkId, flavorId, imageId },
  });
  await inLoop(attack, 'edits of one instance', 2, (lane, round) =>
    client.ask('PUT', `/compute/api/v2/instances/${metadata.id}`, {
      metadata: { name: 'edited', description: `edit ${lane}.${round}` },
      spec: { flavorId, imageId },
    }),
  );
  client.close();
}

/** Lists everything repeatedly. */
async function listEverything(attack: Attack): Promise<void> {
  const { base, tenant } = attack;
  const clients = Array.from({ length: 8 }, () => new Client(base, tenant.token));
  const paths = [
    '/compute/api/v2/instances',
    `/identity/api/v1/organizations/${tenant.organizationId}/quotas?include=allocations`,
    '/compute/api/v2/instances',
    '/region/api/v2/servers',
  ];
  await inLoop(
    attack,
    'lists of everything',
    clients.length,
    (lane, round) =>
      clients[lane]?.ask('GET', paths[round % paths.length] ?? '') ?? Promise.reject(new Error('no client')),
  );
  for (const client of clients) client.close();
}

/** Starts logins without credentials and never completes them. */
async function beginLogins(attack: Attack): Promise<void> {
  const client = new Client(attack.base);
  // From refused to ordinary sizes, so that some are accepted whatever the limit is.
  const sizes = [6_000, 2_000, 500, 100];
  const query = (lane: number, round: number) =>
    new URLSearchParams({
      response_type: 'code',
      client_id: 'cli',
      redirect_uri: 'http://127.0.0.1:9/callback',
      scope: 'openid email profile',
      state: `${lane}-${round}-${'s'.repeat(sizes[lane % sizes.length] ?? 0)}`,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString();
  await inLoop(attack, 'logins that are never completed', 4, (lane, round) =>
    client.ask('GET', `/identity/oauth2/v2/authorization?${query(lane, round)}`),
  );
  client.close();
}

/** Sends requests as fast as possible, and ignores Retry-After. */
async function abuseRates(attack: Attack): Promise<void> {
  const client = new Client(attack.base, attack.tenant.token);
  await inLoop(attack, 'too many requests', 16, () => client.ask('GET', '/region/api/v2/networks'));
  client.close();
}

/** All attacks. */
export const attacks: readonly ((attack: Attack) => Promise<void>)[] = [
  fillWithLarge,
  leaveUnread,
  stormPuts,
  editOne,
  listEverything,
  beginLogins,
  abuseRates,
];

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
