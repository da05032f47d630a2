import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

import { isProblem, Problem } from '@unikorn/core/errors';
import { modify, type Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { SigningKey, signingKeyName } from '../kinds/oauth2.ts';
import { waits } from '../limits.ts';
import { inSigningOrder, isRotationDue, rotated } from './rotation.ts';
import type { Sealer } from './sealing.ts';

export const signingAlgorithm = 'ES512';

type StoredKey = SigningKey['spec']['keys'][number];

interface OpenedKey {
  readonly created: string;
  readonly privateKey: JWK & { readonly kid: string };
}

export interface KeysOptions {
  readonly store: Store;
  readonly world: World;
  readonly sealer: Sealer;
}

/** The signing keys that all processes share. The first process that needs them creates them. */
export class SigningKeys {
  readonly #options: KeysOptions;
  #opened: { readonly at: number; readonly keys: Promise<readonly OpenedKey[]> } | undefined;

  constructor(options: KeysOptions) {
    this.#options = options;
  }

  /** Private keys; the one that signs now is first. */
  async current(): Promise<readonly OpenedKey['privateKey'][]> {
    const now = this.#options.world.now();
    if (!this.#opened || now - this.#opened.at >= waits.signingKeys_ms) this.#read(now);
    const keys = await this.#opened?.keys;
    return inSigningOrder(keys ?? [], now).map(({ privateKey }) => privateKey);
  }

  /** Adds a key if the newest has reached its maximum age. */
  async rotateIfDue(): Promise<void> {
    const { store, world } = this.#options;
    const now = world.now();
    const due = ({ spec: { keys } }: SigningKey) => isRotationDue(keys, now);
    if (!due(await this.#ensure())) return;
    const added = await this.#generate();
    await modify(store, SigningKey, signingKeyName, (current) =>
      due(current) ? { ...current, spec: { keys: rotated(current.spec.keys, added) } } : undefined,
    );
    this.#opened = undefined;
  }

  #read(now: number): void {
    const keys = this.#ensure().then(({ spec }) => Promise.all(spec.keys.map((key) => this.#open(key))));
    this.#opened = { at: now, keys };
    keys.catch(() => (this.#opened = undefined));
  }

  async #ensure(): Promise<SigningKey> {
    const { store } = this.#options;
    const existing = await store.get(SigningKey, signingKeyName);
    if (existing) return existing;
    try {
      return await store.create(SigningKey, {
        metadata: { name: signingKeyName },
        spec: { keys: [await this.#generate()] },
      });
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      return this.#ensure();
    }
  }

  async #generate(): Promise<StoredKey> {
    const { world, sealer } = this.#options;
    const { privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    return {
      kid,
      created: timestamp(world.now()),
      sealedPrivateKey: sealer.seal(
        'signing-keys',
        JSON.stringify({ ...jwk, kid, alg: signingAlgorithm, use: 'sig' }),
        kid,
      ),
    };
  }

  async #open({ kid, created, sealedPrivateKey }: StoredKey): Promise<OpenedKey> {
    const text = await this.#options.sealer.open('signing-keys', sealedPrivateKey);
    if (text === undefined)
      throw new Problem(
        'storage_unusable',
        'the signing keys cannot be decrypted: start the server with the encryption key that they were encrypted with',
      );
    const jwk: unknown = JSON.parse(text);
    if (!isJwk(jwk)) throw new Problem('storage_unusable', `the signing key ${kid} is damaged`);
    return { created, privateKey: { ...jwk, kid } };
  }
}

function isJwk(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && 'kty' in value;
}
