import { AsyncLocalStorage } from 'node:async_hooks';

import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import { Answers } from '@unikorn/core/outbound';
import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import { ProviderFailure, type CloudChange } from '../../provider/index.ts';
import {
  openCloud,
  type CallRecord,
  type Credential,
  type Domain,
  type OpenstackCloud,
  type Project,
  type Session,
  type User,
} from './client/index.ts';
import { waits } from './limits.ts';
import type { OpenstackSettings } from './settings.ts';

export interface OpenstackRegionOptions {
  readonly regionId: string;
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly settings: OpenstackSettings;
  /** Read again while the region is used, so that renewed credentials take effect. Undefined if there is no secret. */
  readonly secret: () => Promise<Readonly<Record<string, string>> | undefined>;
  /** Told of each attempt of each call of the cloud. */
  readonly onCall?: (record: CallRecord) => void;
}

/**
 * The secret of a region has the keys `domain-id`, `project-id`, `user-id` and `password`. Names can be given instead
 * of ids (`domain-name`, `project-name`, `user-name`): those of the project and the user are looked up in the domain.
 */
interface RegionSecret {
  readonly domain: Domain;
  readonly project: Project;
  readonly user: User;
  readonly password: string;
}

/** A region of the platform in an OpenStack cloud, and the sessions in which it is used. */
export class OpenstackRegion {
  readonly regionId: string;
  readonly store: Store;
  readonly world: World;
  readonly settings: OpenstackSettings;
  readonly #cloud: OpenstackCloud;
  readonly #secret: OpenstackRegionOptions['secret'];
  readonly #secrets: Answers<RegionSecret>;
  readonly #notes = new AsyncLocalStorage<(change: CloudChange) => void>();

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
      onCall: (record) => {
        const change = changeOf(record);
        if (change) this.#notes.getStore()?.(change);
        onCall?.(record);
      },
    });
  }

  /** Does some work, and notes the changes that its calls made in the cloud. */
  noting<T>(note: (change: CloudChange) => void, work: () => Promise<T>): Promise<T> {
    return this.#notes.run(note, work);
  }

  /** The domain in which projects and users are made. */
  async domainId(): Promise<string> {
    const { domain } = await this.#credentials();
    if ('id' in domain) return domain.id;
    const { domainId } = await (await this.domain()).holder();
    if (domainId !== undefined) return domainId;
    throw new ProviderFailure('inconsistent', 'the cloud does not tell the id of the domain of this region');
  }

  /** The region's user in its domain: for projects, users and roles. */
  async domain(): Promise<Session> {
    const secret = await this.#credentials();
    return this.#cloud.session({ credential: userOf(secret), scope: { domain: secret.domain } });
  }

  /** The region's user in its own project: for what the cloud offers to all. */
  async region(): Promise<Session> {
    const secret = await this.#credentials();
    return this.#cloud.session({ credential: userOf(secret), scope: { project: secret.project } });
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
      until: this.world.now() + waits.secret_ms,
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

/** A login changes nothing. */
function changeOf({ method, path, doing, outcome, requestId }: CallRecord): CloudChange | undefined {
  const isDone = typeof outcome === 'number' && outcome < 300;
  if (method === 'GET' || path === '/auth/tokens' || !isDone || requestId === undefined) return undefined;
  return { doing, requestId };
}

function userOf({ user, password }: RegionSecret): Credential {
  return { method: 'password', user, password };
}

/** A file usually ends with a line break, which is not part of the value. */
function secretOf(values: Readonly<Record<string, string>> | undefined): RegionSecret {
  const value = (key: string) => values?.[key]?.trim() ?? '';
  if (value('password') === '' && Object.keys(values ?? {}).some((key) => key.startsWith('application-credential')))
    throw new ProviderFailure(
      'permission',
      'the secret of this region has an application credential, which belongs to one project and cannot create others: the platform operator must store the user of the region and its password instead (domain-id, project-id, user-id, password)',
    );
  const missing = ['domain', 'project', 'user']
    .filter((thing) => value(`${thing}-id`) === '' && value(`${thing}-name`) === '')
    .map((thing) => `${thing}-id`);
  if (value('password') === '') missing.push('password');
  if (missing.length > 0)
    throw new ProviderFailure(
      'permission',
      `the secret of this region has no ${missing.join(', ')}: the platform operator must complete it`,
    );
  const domain = value('domain-id') === '' ? { name: value('domain-name') } : { id: value('domain-id') };
  const inDomain = (thing: 'project' | 'user') =>
    value(`${thing}-id`) === '' ? { name: value(`${thing}-name`), domain } : { id: value(`${thing}-id`) };
  return { domain, project: inDomain('project'), user: inDomain('user'), password: value('password') };
}

/** The project of a session. */
export async function projectOf(session: Session): Promise<string> {
  const { projectId } = await session.holder();
  if (projectId !== undefined) return projectId;
  throw new ProviderFailure('inconsistent', 'the session of the region has no project');
}

/** Runs work that uses the store. If the store fails, the failure is a `ProviderFailure`, like every other one. */
export async function stored<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isProblem(cause)) throw cause;
    throw new ProviderFailure('transient', 'the state of the region could not be stored; try again', { cause });
  }
}
