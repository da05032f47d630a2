import { Type } from 'typebox';

import { ProviderFailure } from '../../../provider/index.ts';
import { factsOf, type ServiceName } from './services.ts';
import { Nullable, shapeOf } from './shape.ts';

const Version = Type.Object({
  id: Type.Optional(Type.String()),
  version: Type.Optional(Nullable(Type.String())),
  max_version: Type.Optional(Nullable(Type.String())),
});

/** Each service describes its versions in a form of its own. */
export const versionAnswer = shapeOf(
  Type.Object({
    version: Type.Optional(Version),
    versions: Type.Optional(Type.Array(Version)),
    default_version: Type.Optional(Version),
  }),
);

interface VersionAnswer {
  readonly version?: VersionEntry;
  readonly versions?: readonly VersionEntry[];
  readonly default_version?: VersionEntry;
}

interface VersionEntry {
  readonly id?: string;
  readonly version?: string | null;
  readonly max_version?: string | null;
}

/** The newest version in a description; undefined where there is none. */
export function newestIn({ version, versions = [], default_version }: VersionAnswer): string | undefined {
  const all = [version, default_version, ...versions].flatMap((entry) =>
    [entry?.version, entry?.max_version, entry?.id?.replace(/^v/, '')].filter(isVersion),
  );
  return all.toSorted(compareVersions).at(-1);
}

function isVersion(text: string | null | undefined): text is string {
  return typeof text === 'string' && /^\d{1,4}\.\d{1,4}$/.test(text);
}

function compareVersions(a: string, b: string): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}

/** The address that describes the versions of a service, from the address of its API. */
export function versionAddress(service: ServiceName, endpoint: string): string {
  switch (service) {
    case 'compute':
      return `${endpoint.replace(/(\/v2(?:\.1)?)\/[^/]+$/, '$1')}/`;
    case 'load-balancer':
      return `${endpoint.replace(/\/v2(?:\.0)?$/, '')}/`;
    case 'baremetal':
      return `${endpoint.replace(/\/v1$/, '')}/`;
    case 'block-storage':
    case 'identity':
    case 'image':
    case 'network':
    case 'placement':
      return `${endpoint}/`;
  }
}

/** Fails where a service is older than the version that we ask for. */
export function assertNewEnough(service: ServiceName, newest: string | undefined): void {
  const { title, pinned } = factsOf(service);
  if (!pinned || (newest !== undefined && compareVersions(newest, pinned.version) >= 0)) return;
  const offered = newest === undefined ? 'it names no version' : `its newest version is ${newest}`;
  throw new ProviderFailure(
    'unavailable',
    `the ${service} service of this region (${title}) is too old: ${offered}, and Unikorn needs ${pinned.version}. The platform operator must upgrade it`,
  );
}
