import { useRef } from 'react';

import { ApiError } from '@unikorn/sdk';

import { platform } from '../platform.ts';

/** The header by which the service recognizes the repetition of a request. */
export type KeyHeader = Readonly<Record<'Idempotency-Key', string>>;

/** Sends a request that creates something. */
export type Create<Made> = (headers: KeyHeader) => Promise<Made>;

/**
 * Sends requests that create something. While the answer to a draft is not known, the same draft has the same key, so
 * that it creates one object. An answer ends that: the service gives the answer of a key again, also a refusal whose
 * cause is gone.
 */
export function repeatable() {
  let unanswered: { readonly text: string; readonly key: string } | undefined;
  return async <Made>(draft: unknown, send: Create<Made>): Promise<Made> => {
    const text = JSON.stringify(draft);
    const { key } = (unanswered = unanswered?.text === text ? unanswered : { text, key: platform.uuid() });
    try {
      const made = await send({ 'Idempotency-Key': key });
      unanswered = undefined;
      return made;
    } catch (error) {
      if (isRefusal(error)) unanswered = undefined;
      throw error;
    }
  };
}

/** Whether the service has decided. It has not if it failed, or if the first request with the key still runs. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status >= 500) return false;
  return !(error.status === 409 && error.message.includes('Idempotency-Key'));
}

export function useRepeatable(): ReturnType<typeof repeatable> {
  const kept = useRef<ReturnType<typeof repeatable>>(undefined);
  return (kept.current ??= repeatable());
}
