import { limits } from '../limits.ts';

type Send = (request: Request) => Promise<Response>;

/**
 * Reports requests that are refused for a missing right: the rights have changed since they were read. A read that is
 * repeated is reported once until it is answered again, because pages repeat their reads. The rights themselves are
 * never reported, so that reading them again cannot lead to reading them again.
 */
export function reportingRefusals(send: Send, onRefused: () => void): Send {
  const refused = new Set<string>();
  return async (request) => {
    const response = await send(request);
    const { method, url } = request;
    if (response.status !== 403) refused.delete(url);
    else if (!new URL(url).pathname.endsWith('/acl') && (method !== 'GET' || !refused.has(url))) {
      if (refused.size >= limits.refusedReads) refused.clear();
      if (method === 'GET') refused.add(url);
      onRefused();
    }
    return response;
  };
}
