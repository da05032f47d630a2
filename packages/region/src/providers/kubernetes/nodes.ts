import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { guardedFetch } from '@unikorn/core/outbound';
import type { World } from '@unikorn/core/world';

import { isProviderFailure, ProviderFailure } from '../../provider/index.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { limits, waits } from './limits.ts';

/** The label that names the hardware class of a node. */
export const nodeClassLabel = 'kubernetes.region.unikorn-cloud.org/node-class';

const Node = Type.Object({
  metadata: Type.Object({ labels: Type.Optional(Type.Record(Type.String(), Type.String())) }),
  status: Type.Optional(
    Type.Object({
      capacity: Type.Optional(Type.Object({ cpu: Type.Optional(Type.String()) })),
      nodeInfo: Type.Optional(Type.Object({ architecture: Type.Optional(Type.String()) })),
    }),
  ),
});
/** The fields of a node that are needed here. */
export type Node = Static<typeof Node>;

const Page = Type.Object({
  metadata: Type.Object({ continue: Type.Optional(Type.String()) }),
  items: Type.Array(Node),
});
const page = Compile(Page);

/** The nodes of a cluster that belong to a class, page by page. */
export async function classedNodes({ server, headers, tls }: ClusterAccess, world: World): Promise<readonly Node[]> {
  // An operator configured the server, and clusters are usually on internal networks.
  const fetchPage = guardedFetch({ allows: () => true, answerBytes: limits.pageBytes, tls });
  const late = new AbortController();
  const cancel = world.after(waits.call_ms, () => {
    late.abort();
  });
  const nodes: Node[] = [];
  try {
    let next: string | undefined;
    do {
      const answer = await fetchPage(pageUrl(server, next), {
        method: 'GET',
        headers: { ...headers, accept: 'application/json' },
        signal: late.signal,
      });
      const { metadata, items } = await pageOf(answer);
      nodes.push(...items);
      next = metadata.continue;
    } while (next);
    return nodes;
  } catch (cause) {
    throw isProviderFailure(cause) ? cause : unreachable(cause);
  } finally {
    cancel();
  }
}

function pageUrl(server: URL, next: string | undefined): string {
  // A cluster behind a gateway can have a path prefix.
  const url = new URL(`${server.pathname.replace(/\/$/, '')}/api/v1/nodes`, server);
  url.search = new URLSearchParams({
    labelSelector: nodeClassLabel,
    limit: String(limits.nodesPage),
    ...(next ? { continue: next } : {}),
  }).toString();
  return url.href;
}

async function pageOf(answer: Response): Promise<Static<typeof Page>> {
  if (answer.status !== 200) throw refusal(answer.status);
  const value: unknown = await answer.json().catch(() => undefined);
  if (!page.Check(value)) throw refusal(answer.status);
  return value;
}

function refusal(status: number): ProviderFailure {
  const cause = new Error(`the API server answered ${status}`);
  if (status === 401 || status === 403) return notAllowed(cause);
  if (status === 410)
    return new ProviderFailure(
      'transient',
      'the nodes of the cluster of this region changed while they were read; try again',
      { cause },
    );
  if (status === 429 || status >= 500)
    return new ProviderFailure('unavailable', 'the cluster of this region cannot answer at the moment; try again', {
      cause,
    });
  return new ProviderFailure(
    'invalid',
    'the server in the kubeconfig of this region does not answer like a Kubernetes API server: the platform operator must correct it',
    { cause },
  );
}

function notAllowed(cause: unknown): ProviderFailure {
  return new ProviderFailure(
    'permission',
    'the kubeconfig of this region may not list nodes: the platform operator must renew it',
    { cause },
  );
}

/** The error codes of Node when the server does not accept our certificate, or requires one. */
const certificateRefused = /^ERR_SSL_.*CERTIFICATE/;
/** The error codes of Node when the certificate of the server is not trusted. */
const impostor = /CERT|SIGNATURE|ALTNAME/;

function unreachable(cause: unknown): ProviderFailure {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (certificateRefused.test(code)) return notAllowed(cause);
  if (impostor.test(code))
    return new ProviderFailure(
      'inconsistent',
      'the certificate of the cluster is not trusted by the kubeconfig of this region: the platform operator must check it',
      { cause },
    );
  return new ProviderFailure('unavailable', 'the cluster of this region cannot be reached at the moment; try again', {
    cause,
  });
}
