import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Problem, toError } from '../errors/index.ts';
import { waits } from '../limits.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';

/** A certificate with its chain, its key, and the authorities that the other side must have; all in PEM. */
export interface Certificates {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

/** The names of the files, as cert-manager and `kubectl create secret tls` write them. */
const names = { certificate: 'tls.crt', key: 'tls.key', authority: 'ca.crt' } as const;

export interface CertificateFilesContext {
  readonly world: World;
  readonly telemetry: Pick<Telemetry, 'log'>;
}

/**
 * The certificates of this process, from a folder with `tls.crt`, `tls.key` and `ca.crt`. Changed files are read again.
 * Files that do not fit together are ignored until they do, because they are not all replaced at the same moment.
 *
 * @example
 * const files = await CertificateFiles.open('/etc/unikorn/tls', { world, telemetry });
 * const channel = httpChannel({ baseUrl, world, tls: () => files.current });
 * void files.watch(stop);
 */
export class CertificateFiles {
  readonly #folder: string;
  readonly #context: CertificateFilesContext;
  readonly #listeners = new Set<(certificates: Certificates) => void>();
  #current: Certificates;

  private constructor(folder: string, context: CertificateFilesContext, current: Certificates) {
    this.#folder = folder;
    this.#context = context;
    this.#current = current;
  }

  /** Fails if the files are missing or do not fit together. */
  static async open(folder: string, context: CertificateFilesContext): Promise<CertificateFiles> {
    return new CertificateFiles(folder, context, await read(folder));
  }

  /** The last good certificates. It is another object after a change. */
  get current(): Certificates {
    return this.#current;
  }

  /** Calls back with new certificates after each change. */
  onChange(listener: (certificates: Certificates) => void): void {
    this.#listeners.add(listener);
  }

  /** Reads the files again and again until the signal aborts. Secrets in Kubernetes are replaced without an event. */
  async watch(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#context.world.sleep(waits.certificateFiles_ms, signal);
      if (signal.aborted) return;
      await this.reload();
    }
  }

  /** Reads the files once. */
  async reload(): Promise<void> {
    const { log } = this.#context.telemetry;
    try {
      const found = await read(this.#folder);
      if (isSame(found, this.#current)) return;
      this.#current = found;
      log.info({ folder: this.#folder }, 'the certificates have changed');
      for (const listener of this.#listeners) listener(found);
    } catch (error) {
      log.warn({ error, folder: this.#folder }, 'the certificates cannot be read; the former ones stay in use');
    }
  }
}

function isSame(one: Certificates, other: Certificates): boolean {
  return one.certificate === other.certificate && one.key === other.key && one.authority === other.authority;
}

async function read(folder: string): Promise<Certificates> {
  const file = async (name: string) => {
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (cause) {
      throw new Problem('invalid_request', `${join(folder, name)} cannot be read: ${toError(cause).message}`, {
        cause,
      });
    }
  };
  const [certificate, key, authority] = await Promise.all([
    file(names.certificate),
    file(names.key),
    file(names.authority),
  ]);
  requireUsable(folder, { certificate, key, authority });
  return { certificate, key, authority };
}

function requireUsable(folder: string, { certificate, key, authority }: Certificates): void {
  const own = parsed(join(folder, names.certificate), 'a certificate', () => new X509Certificate(certificate));
  parsed(join(folder, names.authority), 'a certificate', () => new X509Certificate(authority));
  const secret = parsed(join(folder, names.key), 'a private key', () => createPrivateKey(key));
  if (!own.checkPrivateKey(secret))
    throw new Problem('invalid_request', `${names.key} in ${folder} is not the key of ${names.certificate}`);
}

/** Messages of the parser say nothing to an operator, and could quote a key. */
function parsed<T>(file: string, expected: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Problem('invalid_request', `${file} does not contain ${expected} in PEM format`);
  }
}
