import { allowsGlobal, demand } from '../access/index.ts';
import { defined } from '../defined.ts';
import { collectionRoute, type Route, type View } from '../http/index.ts';
import type { Kind } from '../kinds/index.ts';
import { labels, parseReference } from '../resource/index.ts';
import { matching } from '../store/index.ts';
import { claimsOf } from './hold.ts';
import { ReferenceRecord, referenceLabels } from './kind.ts';
import { ReferenceQuery, ReferencesRead, type ReferenceRead } from './wire.ts';

/** A kind that others can hold, and the right to read who holds it. */
export interface HeldKind {
  readonly kind: Kind;
  readonly endpoint: string;
}

export interface ReferenceList extends Pick<Route, 'path' | 'operationId' | 'summary' | 'tags'> {
  readonly held: readonly HeldKind[];
}

/**
 * Lists the references to the objects of a service, for the services that hold them. It takes a right that holds
 * everywhere, and shows only the kinds for which the caller has it.
 *
 * @example
 * referenceListRoute({ path: '/api/v2/references', operationId: 'listReferences', summary: 'List references', tags: ['References'], held: [{ kind: Network, endpoint: 'region:networks:v2/references' }] });
 */
export function referenceListRoute({ held, ...operation }: ReferenceList): Route {
  const endpoints = held.map(({ endpoint }) => endpoint).join(', ');
  return collectionRoute({
    ...operation,
    security: 'bearer',
    hidden: true,
    query: ReferenceQuery,
    response: ReferencesRead,
    kind: ReferenceRecord,
    view: ({ acl, query: { user, userKind } }): View<typeof ReferenceRecord> => {
      const readable = held.filter(({ endpoint }) => allowsGlobal(acl, endpoint, 'read')).map(({ kind }) => kind.id);
      demand(readable.length > 0, endpoints, 'read');
      return {
        selector: user === undefined ? [] : matching({ [referenceLabels.user]: parseReference(user).id }),
        visible: ({ spec: { used, reference } }) =>
          readable.includes(used.kind) &&
          (user === undefined || reference === user) &&
          (userKind === undefined || parseReference(reference).kind === userKind),
      };
    },
    present,
  });
}

function present(record: ReferenceRecord): ReferenceRead {
  const { metadata, spec } = record;
  const { [labels.organization]: organizationId, [labels.project]: projectId } = metadata.labels ?? {};
  return {
    metadata: {
      id: metadata.name,
      creationTime: metadata.creationTimestamp,
      ...defined({ organizationId, projectId }),
    },
    spec: {
      used: spec.used,
      user: spec.reference,
      ...defined({ name: spec.name }),
      protects: spec.protects ?? false,
      claims: claimsOf(record),
    },
  };
}
