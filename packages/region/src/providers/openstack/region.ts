import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import { Answers } from '@unikorn/core/outbound';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { ProviderFailure } from '../../provider/index.ts';
import { openCloud, type CallRecord, type Credential, type OpenstackCloud, type Session } from './client/index.ts';
import type { OpenstackSettings } from './settings.ts';

export interface OpenstackRegionOptions {
  readonly regionId: string;
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly settings: OpenstackSettings;
  /** Asked again and again, so that renewed credentials count; undefined where there is none. */
  readonly secret: () => Promise<Readonly<Record<string, string>> | undefined>;
  /** Told of each attempt of each call of the cloud. */
  readonly onCall?: (record: CallRecord) => void;
}

/** The keys of the secret of a region. */
const secretKeys = ['domain-id', 'project-id', 'user-id', 'password'] as const;
type RegionSecret = Readonly<Record<(typeof secretKeys)[number], string>>;

/** How long a secret that was read is used. An operator who replaces it does not want to wait for longer. */
const secret_ms = 5_000;

/** A region of the platform in an OpenStack cloud, and the sessions in which it is used. */
export class OpenstackRegion {
  readonly regionId: string;
  readonly store: Store;
  readonly world: World;
  readonly settings: OpenstackSettings;
  readonly #cloud: OpenstackCloud;
  readonly #secret: OpenstackRegionOptions['secret'];
  readonly #secrets: Answers<RegionSecret>;

  constructor({ regionId, store, world, telemetry, settings, secret, onCall }: OpenstackRegionOptions) {
    this.regionId = regionId;
    this.store = store;
    this.world = world;
    this.settings = settings;
    this.#secret = secret;
    this.#secrets = new Answers(world, 1);
    const { endpoint, regionName, interface: chosen = 'public', tls = {} } = settings;
    this.#cloud = openCloud({
      access: {
        authUrl: endpoint,
        ...defined({ regionName }),
        interface: chosen,
        tls: { verify: tls.verify ?? true, ...defined({ authority: tls.authority }) },
      },
      world,
      telemetry,
      ...defined({ onCall }),
    });
  }

  /** The domain in which projects and users are made. */
  async domainId(): Promise<string> {
    return (await this.#credentials())['domain-id'];
  }

  /** The region's user in its domain: for projects, users and roles. */
  async domain(): Promise<Session> {
    const secret = await this.#credentials();
    return this.#cloud.session({ credential: userOf(secret), scope: { domain: { id: secret['domain-id'] } } });
  }

  /** The region's user in its own project: for what the cloud offers to all. */
  async region(): Promise<Session> {
    const secret = await this.#credentials();
    return this.#cloud.session({ credential: userOf(secret), scope: { project: { id: secret['project-id'] } } });
  }

  /** The region's user in the project of an identity, where it is the manager. */
  async manager(projectId: string): Promise<Session> {
    return this.#cloud.session({
      credential: userOf(await this.#credentials()),
      scope: { project: { id: projectId } },
    });
  }

  /** Another user in a project. */
  user(credential: Credential, projectId: string): Session {
    return this.#cloud.session({ credential, scope: { project: { id: projectId } } });
  }

  close(): Promise<void> {
    return this.#cloud.close();
  }

  #credentials(): Promise<RegionSecret> {
    return this.#secrets.get('secret', async () => ({
      value: secretOf(await this.#read()),
      until: this.world.now() + secret_ms,
    }));
  }

  async #read(): Promise<Readonly<Record<string, string>> | undefined> {
    try {
      return await this.#secret();
    } catch (cause) {
      throw new ProviderFailure(
        'unavailable',
        'the credentials of this region cannot be read at the moment; try again',
        { cause },
      );
    }
  }
}

function userOf(secret: RegionSecret): Credential {
  return { method: 'password', user: { id: secret['user-id'] }, password: secret.password };
}

/** A file usually ends with a line break, which is not part of the value. */
function secretOf(values: Readonly<Record<string, string>> | undefined): RegionSecret {
  const value = (key: (typeof secretKeys)[number]) => values?.[key]?.trim() ?? '';
  const missing = secretKeys.filter((key) => value(key) === '');
  if (missing.length > 0)
    throw new ProviderFailure(
      'invalid',
      `the secret of this region has no ${missing.join(', ')}: the platform operator must complete it`,
    );
  return {
    'domain-id': value('domain-id'),
    'project-id': value('project-id'),
    'user-id': value('user-id'),
    password: value('password'),
  };
}

/** Runs work that uses the store. A store that fails is a failure of the provider as any other. */
export async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isProblem(cause)) throw cause;
    throw new ProviderFailure('transient', 'the state of the region could not be stored; try again', { cause });
  }
}
