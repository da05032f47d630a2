import { isProblem } from '@unikorn/core/errors';
import { deterministicId, newMetadata } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { digestLabels, issueToken, serviceAccountVerifier } from './access/index.ts';
import { Organization, ServiceAccount } from './kinds/index.ts';

const namespace = '3c1f6d0a-6c7e-4b6e-8a51-3f0b0a8e9d77';
const author = { subject: 'unikorn' };

/** The organization of the platform's own service account. It is not a tenant, so lists of organizations omit it. */
export const platformOrganizationId = deterministicId(namespace, 'organization');
const organizationId = platformOrganizationId;

/**
 * Marks the platform's organization after the first start is complete. It is in the store, so that a backup contains it
 * too.
 */
const startedAnnotation = 'identity.unikorn-cloud.org/started';

/**
 * The service account of the platform operator. The configuration binds its platform-wide roles.
 *
 * @example createIdentity({ …, configuration: { globalBindings: { [platformAccountId]: ['platform-administrator'] } } })
 */
export const platformAccountId = deterministicId(namespace, 'serviceaccount');

interface Platform {
  readonly store: Store;
  readonly world: World;
}

/**
 * A token of the platform's own service account: the current one if it is valid, otherwise a new one, which invalidates
 * the old. The caller has direct access to the store, so the token gives no additional access.
 *
 * @example const adminToken = await platformToken({ store, world }, credentials?.adminToken);
 */
export async function platformToken({ store, world }: Platform, held?: string): Promise<string> {
  if (
    held !== undefined &&
    (await serviceAccountVerifier({ store, world }).verify(held))?.subject === platformAccountId
  )
    return held;
  await ensure(
    store.create(Organization, {
      metadata: newMetadata(
        organizationId,
        { name: 'platform', description: 'the organization of the platform operator' },
        { organizationId },
        author,
      ),
      spec: {},
    }),
  );
  const { token, tokenDigest, expiry } = issueToken(world);
  const metadata = newMetadata(platformAccountId, { name: 'platform' }, { organizationId }, author, {
    labels: digestLabels(tokenDigest),
  });
  const existing = await store.get(ServiceAccount, platformAccountId);
  const spec = { tokenDigest, expiry };
  if (existing)
    await store.update(ServiceAccount, {
      metadata: { ...existing.metadata, labels: { ...existing.metadata.labels, ...digestLabels(tokenDigest) } },
      spec: { ...existing.spec, ...spec },
    });
  else await store.create(ServiceAccount, { metadata, spec });
  return token;
}

/**
 * Whether the first start of this state is complete, with or without demo data.
 *
 * @example if (!(await hasStarted({ store }))) await createDemo(api);
 */
export async function hasStarted({ store }: Pick<Platform, 'store'>): Promise<boolean> {
  return (await store.get(Organization, organizationId))?.metadata.annotations?.[startedAnnotation] !== undefined;
}

/**
 * Marks the first start as complete.
 *
 * @example await markStarted({ store, world });
 */
export async function markStarted({ store, world }: Platform): Promise<void> {
  await modify(store, Organization, organizationId, (platform) => ({
    ...platform,
    metadata: {
      ...platform.metadata,
      annotations: { ...platform.metadata.annotations, [startedAnnotation]: timestamp(world.now()) },
    },
  }));
}

async function ensure(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!isProblem(error, 'conflict')) throw error;
  }
}
