import type { Endpoints } from '@unikorn/sdk';

import { addressOf } from './contexts/contexts.ts';

let isTrusted = false;

/**
 * Trusts the authorities of this machine, too: companies install their own ones there. Reading them, and loading TLS,
 * takes time, so only commands that need them do it, once.
 */
export function trustSystemAuthorities(endpoints: string | Endpoints): void {
  if (isTrusted || !addressOf(endpoints).startsWith('https:')) return;
  isTrusted = true;
  const { getCACertificates, setDefaultCACertificates } = process.getBuiltinModule('node:tls');
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])]);
}
