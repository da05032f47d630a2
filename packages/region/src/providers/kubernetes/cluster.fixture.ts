import { createServer } from 'node:https';

/** A self-signed certificate for 127.0.0.1. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBVzCB/qADAgECAgEBMAoGCCqGSM49BAMCMBIxEDAOBgNVBAMTB2NsdXN0ZXIw
IBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBIxEDAOBgNVBAMTB2Ns
dXN0ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARrRFtgVMYWSRjlkFzLNtKh
SlHuGMLMBVNlkK8g+3sXd85TA+skF99hfJ7rjsIKk2yxMbSL2WPtSA8sZ1v/ARsJ
o0MwQTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBS27CLKkP0qpf/aRGWcq8DU
xX4mDTAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUCIAVtSjYPJTzb
BBxRgIdHU1f7gfY+7MzyTMjcOsPowvqUAiEAo16rLWIPZqN1ady1DW2t7apl8ZGV
t92r+tSDqqYc17M=
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQ31DYcrqDWOAkFFa
hetBJzNO0DdGNqhUM3qOvKMB3pKhRANCAARrRFtgVMYWSRjlkFzLNtKhSlHuGMLM
BVNlkK8g+3sXd85TA+skF99hfJ7rjsIKk2yxMbSL2WPtSA8sZ1v/ARsJ
-----END PRIVATE KEY-----
`;

export const certificateData = Buffer.from(certificate).toString('base64');
export const keyData = Buffer.from(key).toString('base64');

export interface Asked {
  readonly url: URL;
  readonly authorization: string | undefined;
}

/** A test server at the address of a kubeconfig. The test gives its responses; without one it does not answer. */
export async function startListener(
  answer: (asked: Asked) => { readonly status: number; readonly body: object | string } | undefined,
  { demandsCertificate = false } = {},
) {
  const asked: Asked[] = [];
  const server = createServer(
    {
      cert: certificate,
      key,
      ca: certificate,
      requestCert: demandsCertificate,
      rejectUnauthorized: demandsCertificate,
    },
    (request, response) => {
      const one = { url: new URL(request.url ?? '/', 'https://cluster'), authorization: request.headers.authorization };
      asked.push(one);
      const given = answer(one);
      if (given)
        response
          .writeHead(given.status, {
            'content-type': typeof given.body === 'string' ? 'text/plain' : 'application/json',
          })
          .end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    asked,
    server: `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A kubeconfig with one cluster and one user; JSON is valid YAML. */
export function kubeconfigOf(cluster: object, user: object): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'cluster', user: 'user' } }],
    clusters: [{ name: 'cluster', cluster }],
    users: [{ name: 'user', user }],
  });
}
