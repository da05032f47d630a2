import type { Configuration } from '../configuration/schema.ts';
import { partTable, serviceNames, serviceOf, type PartName, type ServiceName } from './table.ts';

type Settings = Pick<Configuration, 'services' | 'server'>;

/** The parts that the configuration selects; all if it selects none. The name of a service selects all its parts. */
export function chosenParts({ services }: Pick<Configuration, 'services'>): readonly PartName[] {
  const names: readonly string[] = services.parts ?? serviceNames;
  return partTable.map(({ name }) => name).filter((name) => names.includes(name) || names.includes(serviceOf(name)));
}

/** Whether other processes run the remaining parts. */
export function isSplit(configuration: Pick<Configuration, 'services'>): boolean {
  return chosenParts(configuration).length < partTable.length;
}

/** The services that this process calls in other processes. */
export function remoteServices(parts: readonly PartName[]): readonly ('identity' | 'region')[] {
  return (['identity', 'region'] as const).filter((service) => callersOf(service, parts).length > 0);
}

/** The chosen parts that call a service whose API is not among them. */
function callersOf(service: ServiceName, parts: readonly PartName[]): readonly PartName[] {
  if (parts.includes(`${service}/api`)) return [];
  return partTable
    .filter(({ name, needs }) => parts.includes(name) && needs.includes(`${service}/api`))
    .map(({ name }) => name);
}

const addresses = {
  identity: { key: 'identityUrl', setting: 'services.identityUrl (--identity-url, UNIKORN_IDENTITY_URL)' },
  region: { key: 'regionUrl', setting: 'services.regionUrl (--region-url, UNIKORN_REGION_URL)' },
} as const;
const certificates = 'services.certificates (--certificates, UNIKORN_CERTIFICATES)';

/** Settings that are valid one by one and do not fit together: one sentence for each mistake. */
export function mistakesInParts(configuration: Settings): readonly string[] {
  const unknown = unknownParts(configuration.services.parts ?? []);
  return unknown.length > 0 ? unknown : missingSettings(configuration);
}

function unknownParts(names: readonly string[]): readonly string[] {
  const known: readonly string[] = [...serviceNames, ...partTable.map(({ name }) => name)];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => `--only: there is no part ${JSON.stringify(name)}; use one of ${known.join(', ')}`);
}

function missingSettings({ services, server }: Settings): readonly string[] {
  const parts = chosenParts({ services });
  const remote = remoteServices(parts);
  const callers = [...new Set(remote.flatMap((service) => callersOf(service, parts)).map(serviceOf))];
  const mistakes = remote
    .filter((service) => services[addresses[service].key] === undefined)
    .map((service) => {
      const [caller = ''] = callersOf(service, parts);
      return `${caller} calls ${service}/api, which this process does not run: set ${addresses[service].setting}, or add ${service}/api to --only`;
    });
  if (isSplit({ services }) && server.publicUrl === undefined)
    mistakes.push(
      'a process that runs only some parts needs server.publicUrl (--public-url, UNIKORN_PUBLIC_URL): the address at which clients reach the platform, the same in every process',
    );
  if (callers.length > 1)
    mistakes.push(
      `parts of ${callers.join(' and ')} in one process need identity/api in the same process, because a process calls identity with the certificate of one service`,
    );
  if (services.certificates === undefined) {
    if (remote.length > 0)
      mistakes.push(
        `calls to ${remote.join(' and ')} use mutual TLS: set ${certificates} to a folder with tls.crt, tls.key and ca.crt`,
      );
    if (services.port !== undefined)
      mistakes.push(
        `services.port accepts calls over mutual TLS: set ${certificates} to a folder with tls.crt, tls.key and ca.crt`,
      );
  }
  return mistakes;
}
