import { argon2, timingSafeEqual } from 'node:crypto';

/** The cost parameters of the hash. */
export interface Cost {
  readonly memory_kib: number;
  readonly passes: number;
  readonly parallelism: number;
}

export interface PasswordHash extends Cost {
  readonly salt: string;
  readonly hash: string;
}

/** OWASP's recommendation for argon2id. */
export const recommendedCost: Cost = { memory_kib: 19 * 1024, passes: 2, parallelism: 1 };

export const saltBytes = 16;
const hashBytes = 32;

/** The same password can have different code points on different keyboards, so it is normalized. */
function normalised(password: string): string {
  return password.normalize('NFKC');
}

function derive(password: string, salt: Uint8Array, { memory_kib, passes, parallelism }: Cost): Promise<Buffer> {
  const parameters = {
    message: normalised(password),
    nonce: salt,
    memory: memory_kib,
    passes,
    parallelism,
    tagLength: hashBytes,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

export async function hashPassword(password: string, salt: Uint8Array, cost: Cost): Promise<PasswordHash> {
  const { memory_kib, passes, parallelism } = cost;
  const key = await derive(password, salt, cost);
  return {
    memory_kib,
    passes,
    parallelism,
    salt: Buffer.from(salt).toString('base64url'),
    hash: key.toString('base64url'),
  };
}

export async function isPassword(password: string, stored: PasswordHash): Promise<boolean> {
  const expected = Buffer.from(stored.hash, 'base64url');
  const key = await derive(password, Buffer.from(stored.salt, 'base64url'), stored);
  return key.length === expected.length && timingSafeEqual(key, expected);
}

/** Whether the hash has other cost parameters than the current ones. */
export function isOutdated({ memory_kib, passes, parallelism }: Cost, cost: Cost): boolean {
  return memory_kib !== cost.memory_kib || passes !== cost.passes || parallelism !== cost.parallelism;
}
