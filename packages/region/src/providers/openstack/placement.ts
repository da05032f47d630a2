import { ProviderFailure } from '../../provider/index.ts';
import { placement, type nova, type Session } from './client/index.ts';

/** What a host must have for a flavor. */
export interface HostNeeds {
  readonly resources: Readonly<Record<string, number>>;
  /** A forbidden trait begins with `!`. */
  readonly traits: readonly string[];
}

/** Reads the needs of a flavor from its extra specs. A pinned flavor stands for one machine of one class. */
export function hostNeedsOf(flavor: nova.Flavor, requiredTraits: readonly string[] = []): HostNeeds {
  const specs = Object.entries(flavor.extra_specs ?? {});
  const classes = specs.flatMap(([key, value]) =>
    key.startsWith('resources:CUSTOM_') && Number(value) > 0 ? [key.slice('resources:'.length)] : [],
  );
  const [only] = classes;
  if (only === undefined || classes.length > 1)
    throw new ProviderFailure(
      'inconsistent',
      `the flavor ${flavor.name} must name exactly one class of machines, and it names ${classes.length}: the platform operator must correct it`,
    );
  const traits = specs.flatMap(([key, value]) => {
    if (!key.startsWith('trait:')) return [];
    const name = key.slice('trait:'.length);
    if (value === 'required') return [name];
    if (value === 'forbidden') return [`!${name}`];
    throw new ProviderFailure(
      'inconsistent',
      `the trait ${name} of the flavor ${flavor.name} must be required or forbidden: the platform operator must correct it`,
    );
  });
  return {
    resources: { [only]: 1 },
    traits: [...new Set([...traits, ...requiredTraits.map((trait) => trait.toUpperCase())])],
  };
}

/** Fails with `capacity` while the host is not free. Nova would fail the server instead. */
export async function assertHostFree(session: Session, host: string, needs: HostNeeds): Promise<void> {
  const free = await placement.listResourceProviders(session, needs);
  if (free.some(({ uuid, name }) => uuid === host || name === host)) return;
  throw new ProviderFailure('capacity', 'the host of the machine is not free at the moment');
}
