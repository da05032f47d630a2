import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { encodePrincipal } from '../access/index.ts';
import { forwardedCertificate } from '../access/certificate.fixture.ts';
import { httpCalls, httpChannel, type HttpChannel, type TlsIdentity } from '../calls/index.ts';
import { silentTelemetry } from '../testing/index.ts';
import { testAuthority, type KeyPair } from '../testing/certificates.ts';
import { CertificateFiles } from '../tls/index.ts';
import { listenForServices } from './index.ts';
import { openBench } from './things.fixture.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const authority = testAuthority();

function written(folder: string, { certificate, key }: KeyPair, trusted: string): void {
  writeFileSync(join(folder, 'tls.crt'), certificate);
  writeFileSync(join(folder, 'tls.key'), key);
  writeFileSync(join(folder, 'ca.crt'), trusted);
}

async function start() {
  const bench = await openBench();
  const asked = vi.spyOn(bench.authenticator, 'authenticate');
  const folder = mkdtempSync(join(tmpdir(), 'unikorn-tls-'));
  written(folder, authority.issue('unikorn-region'), authority.certificate);
  const { world, telemetry } = bench;
  const certificates = await CertificateFiles.open(folder, { world, telemetry });
  const listener = await listenForServices(bench.app, { host: '127.0.0.1', port: 0, certificates, world });
  cleanups.push(async () => {
    await Promise.all([bench[Symbol.asyncDispose](), listener.close()]);
    rmSync(folder, { recursive: true });
  });
  const channel = (tls?: TlsIdentity | (() => TlsIdentity), headers: Readonly<Record<string, string>> = {}) => {
    const opened = httpChannel({
      baseUrl: `https://127.0.0.1:${listener.port}`,
      world,
      headers,
      ...(tls ? { tls } : {}),
    });
    cleanups.push(() => opened.close());
    return opened;
  };
  const caller = () => asked.mock.lastCall?.[0];
  return { ...bench, channel, certificates, folder, caller };
}

function list(channel: HttpChannel) {
  return channel.send({
    method: 'GET',
    path: '/api/v2/things',
    headers: { 'x-principal': encodePrincipal({ actor: 'ann@example.com' }) },
    repeatable: false,
  });
}

function trusting(pair: KeyPair): TlsIdentity {
  return { ...pair, authority: authority.certificate };
}

describe('a call of another service', () => {
  it('is made in the name of its certificate', async () => {
    const { channel, caller } = await start();
    expect((await list(channel(trusting(authority.issue('unikorn-compute'))))).status).toBe(200);
    expect(caller()).toMatchObject({ type: 'certificate', commonName: 'unikorn-compute' });
  });

  it('without a certificate is refused', async () => {
    const { channel } = await start();
    const { certificate, key } = authority.issue('unikorn-compute');
    await expect(list(channel())).rejects.toThrow();
    // It trusts the server, but shows nothing itself.
    const mute = { certificate: '', key: '', authority: authority.certificate };
    await expect(list(channel(mute))).rejects.toThrow();
    expect((await list(channel({ certificate, key, authority: authority.certificate }))).status).toBe(200);
  });

  it('with a certificate of another authority is refused, whatever name it has', async () => {
    const { channel } = await start();
    const foreign = testAuthority('another authority').issue('unikorn-compute');
    await expect(list(channel(trusting(foreign)))).rejects.toThrow();
    const namesake = testAuthority().issue('unikorn-compute');
    await expect(list(channel(trusting(namesake)))).rejects.toThrow();
  });

  it('cannot use the name of another service', async () => {
    const { channel, caller } = await start();
    const claims = { 'ssl-client-cert': forwardedCertificate, 'ssl-client-verify': 'SUCCESS' };
    await list(channel(trusting(authority.issue('unikorn-storage')), claims));
    expect(caller()).toMatchObject({ type: 'certificate', commonName: 'unikorn-storage' });
  });

  it('is not accepted on the public port, with or without forged headers', async () => {
    const { app } = await start();
    const headers = {
      'x-principal': encodePrincipal({ actor: 'ann@example.com' }),
      'ssl-client-cert': forwardedCertificate,
      'ssl-client-verify': 'SUCCESS',
    };
    expect((await app.inject({ url: '/api/v2/things', headers })).statusCode).toBe(401);
  });

  it('is not sent to a server of another authority', async () => {
    const { channel } = await start();
    const own = authority.issue('unikorn-compute');
    const elsewhere = { ...own, authority: testAuthority('another authority').certificate };
    await expect(list(channel(elsewhere))).rejects.toThrow();
  });
});

describe('changed certificates', () => {
  it('apply to new connections, and open streams continue', async () => {
    const scene = await start();
    const { channel, certificates, folder, world } = scene;
    const old = trusting(authority.issue('unikorn-compute'));
    const stop = new AbortController();
    const calls = httpCalls({ service: 'things', channel: channel(old), world, telemetry: silentTelemetry() });
    const on = { principal: { actor: 'ann@example.com' }, impersonate: false };
    const watched = calls.watch(on, { method: 'GET', path: '/api/v2/things' }, { signal: stop.signal });
    const events = watched[Symbol.asyncIterator]();
    const seen = async () => {
      const next = await events.next();
      return next.done === true ? 'ended' : next.value.type;
    };
    await scene.makeThing('first');
    expect([await seen(), await seen()]).toEqual(['added', 'synced']);

    const renewed = testAuthority('renewed authority');
    written(folder, renewed.issue('unikorn-region'), renewed.certificate);
    await certificates.reload();
    await expect(list(channel(old))).rejects.toThrow();
    const present = { ...renewed.issue('unikorn-compute'), authority: renewed.certificate };
    expect((await list(channel(present))).status).toBe(200);
    await scene.makeThing('second');
    expect(await seen()).toBe('added');
    stop.abort();
    await events.return?.();
  });

  it('are used by the client for its next connection', async () => {
    const { channel, caller } = await start();
    let own = trusting(testAuthority('another authority').issue('unikorn-compute'));
    const calling = channel(() => own);
    await expect(list(calling)).rejects.toThrow();
    own = trusting(authority.issue('unikorn-compute'));
    expect((await list(calling)).status).toBe(200);
    expect(caller()).toMatchObject({ type: 'certificate', commonName: 'unikorn-compute' });
  });
});
