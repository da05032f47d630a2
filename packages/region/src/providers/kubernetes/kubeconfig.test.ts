import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { certificateData, keyData, kubeconfigOf } from './cluster.fixture.ts';
import { parseKubeconfig } from './kubeconfig.ts';

const cluster = { server: 'https://cluster.example.com:6443', 'certificate-authority-data': certificateData };
const user = { token: 'secret' };

it('the current context has the address and the credentials', async () => {
  const text = stringify({
    'current-context': 'b',
    contexts: [
      { name: 'a', context: { cluster: 'one', user: 'somebody' } },
      { name: 'b', context: { cluster: 'two', user: 'anybody', namespace: 'kube-system' } },
    ],
    clusters: [
      { name: 'one', cluster: { server: 'https://one.example.com' } },
      { name: 'two', cluster: { ...cluster, 'tls-server-name': 'kubernetes' } },
    ],
    users: [
      { name: 'somebody', user: { exec: { command: 'rm' } } },
      { name: 'anybody', user },
    ],
  });
  const { server, headers, tls } = await parseKubeconfig(text);
  expect([server.href, headers, tls.servername, tls.rejectUnauthorized]).toEqual([
    'https://cluster.example.com:6443/',
    { authorization: 'Bearer secret' },
    'kubernetes',
    true,
  ]);
});

it('a client certificate needs no token, and verification is only skipped if the operator says so', async () => {
  const { headers, tls } = await parseKubeconfig(
    kubeconfigOf(
      { ...cluster, 'insecure-skip-tls-verify': true },
      { 'client-certificate-data': certificateData, 'client-key-data': keyData },
    ),
  );
  expect([headers, tls.rejectUnauthorized]).toEqual([{}, false]);
});

describe('an unusable kubeconfig is refused with a message that reveals no secrets', () => {
  it.each<[string, string]>([
    ['no yaml', '{'],
    ['nothing', ''],
    ['text', 'hello'],
    ['no context', JSON.stringify({ 'current-context': 'gone', contexts: [], clusters: [], users: [] })],
    ['no such cluster', kubeconfigOf(cluster, user).replace('"cluster":"cluster"', '"cluster":"other"')],
    ['a server without TLS', kubeconfigOf({ server: 'http://cluster.example.com' }, user)],
    ['a server that is no address', kubeconfigOf({ server: 'https://' }, user)],
    ['an authority in a file', kubeconfigOf({ ...cluster, 'certificate-authority': '/etc/passwd' }, user)],
    [
      'an authority that is none',
      kubeconfigOf({ ...cluster, 'certificate-authority-data': Buffer.from('secret').toString('base64') }, user),
    ],
    ['a proxy', kubeconfigOf({ ...cluster, 'proxy-url': 'http://proxy' }, user)],
    ['a command', kubeconfigOf(cluster, { exec: { command: 'secret' } })],
    ['a token in a file', kubeconfigOf(cluster, { tokenFile: '/secret' })],
    ['a token that is no header', kubeconfigOf(cluster, { token: 'secret\r\nhost: other' })],
    ['impersonation', kubeconfigOf(cluster, { token: 'secret', as: 'admin' })],
    [
      'a key that does not fit',
      kubeconfigOf(cluster, {
        'client-certificate-data': certificateData,
        'client-key-data': Buffer.from('secret').toString('base64'),
      }),
    ],
  ])('%s', async (_, text) => {
    const failure: unknown = await parseKubeconfig(text).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/^the kubeconfig of this region cannot be used: (?:[^A-Z]|YAML)+$/) as string,
    });
    expect(String(failure)).not.toContain('secret');
  });
});
