import type { Static } from 'typebox';

import { authorOf, personOf } from '@unikorn/core/access';
import {
  actionsRoute,
  collectionRoute,
  demandRoom,
  ErrorBody,
  explainItemRoute,
  foreseeDeletion,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import type { ObjectLimits } from '@unikorn/core/limits';
import { requestDeletion } from '@unikorn/core/references';
import { finalizers, labels, newMetadata, projectScopedReadMetadata } from '@unikorn/core/resource';

import { ProjectQuery, SshCertificateAuthorityPath } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import {
  SshCertificateAuthoritiesRead,
  SshCertificateAuthorityCreate,
  SshCertificateAuthorityRead,
} from '../../api/sshcertificateauthorities.ts';
import type { RegionContext } from '../../context.ts';
import { explainSshCertificateAuthority } from '../../explain/index.ts';
import { refuseWhileUsed } from '../../graph/index.ts';
import { SSHCertificateAuthority } from '../../kinds/index.ts';
import { parseAuthorityKey } from '../../sshca/index.ts';
import { endpoints } from '../endpoints.ts';
import { referenceRoutes } from '../references.ts';
import { demandCreation, generation, projectItem, projectView, storedTags } from '../project-resources.ts';

const endpoint = endpoints.sshCertificateAuthorities;
const common = { tags: ['SSH certificate authorities'], security: 'bearer' } as const;
const collection = '/api/v2/sshcertificateauthorities';
const path = `${collection}/{sshCertificateAuthorityID}` as const;
const params = SshCertificateAuthorityPath;
const item = projectItem(SSHCertificateAuthority, 'sshCertificateAuthorityID', endpoint);

function present(authority: SSHCertificateAuthority): DeepReadonly<Static<typeof SshCertificateAuthorityRead>> {
  const { publicKey, tags } = authority.spec;
  return { metadata: projectScopedReadMetadata(SSHCertificateAuthority, authority, tags), spec: { publicKey } };
}

export function sshCertificateAuthorityRoutes({
  identityClient,
  objectLimits,
}: Pick<RegionContext, 'identityClient'> & {
  readonly objectLimits: Pick<ObjectLimits, 'sshCertificateAuthorities'>;
}): readonly Route[] {
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listSshCertificateAuthorities',
      summary: 'List the SSH certificate authorities that you may read',
      query: ProjectQuery,
      response: SshCertificateAuthoritiesRead,
      kind: SSHCertificateAuthority,
      view: (request) => projectView(request, endpoint),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createSshCertificateAuthority',
      summary: 'Register the public key of an SSH certificate authority',
      body: SshCertificateAuthorityCreate,
      responses: { 201: SshCertificateAuthorityRead, 404: ErrorBody },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => {
        const { body, caller, runtime } = request;
        const { organizationId, projectId, publicKey } = body.spec;
        const scope = { organizationId, projectId };
        await demandCreation(request, identityClient, endpoint, scope);
        const made = await madeBefore(request, SSHCertificateAuthority);
        if (made) return { status: 201, body: present(made) };
        await demandRoom(runtime.store, {
          kind: SSHCertificateAuthority,
          label: labels.organization,
          id: organizationId,
          where: 'organization',
          most: objectLimits.sshCertificateAuthorities,
        });
        const authority = await runtime.store.create(SSHCertificateAuthority, {
          metadata: {
            ...newMetadata(objectIdFor(request), body.metadata, scope, authorOf(caller, scope), {
              labels: generation,
            }),
            finalizers: [finalizers.framework],
          },
          spec: { ...storedTags(body.metadata.tags, caller), publicKey: parseAuthorityKey(publicKey) },
        });
        return { status: 201, body: present(authority) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getSshCertificateAuthority',
      summary: 'Read an SSH certificate authority',
      params,
      response: SshCertificateAuthorityRead,
      item,
      present,
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteSshCertificateAuthority',
      summary: 'Delete an SSH certificate authority; no instance or server may use it',
      params,
      responses: { 202: null },
      item,
      verb: 'delete',
      actions: ['delete'],
      records: 'delete',
      handler: async ({ caller, runtime }, authority) => {
        await requestDeletion(runtime, SSHCertificateAuthority, authority, {
          by: personOf(caller),
          check: () => refuseWhileUsed(runtime.store, SSHCertificateAuthority, authority.metadata),
        });
        return { status: 202 };
      },
    }),
  ];
  return [
    ...routes,
    explainItemRoute({
      ...common,
      path: `${path}/explain`,
      operationId: 'explainSshCertificateAuthority',
      summary: 'Say why an SSH certificate authority is as it is, and what would help',
      params,
      response: ExplanationRead,
      item,
      explain: ({ runtime }, authority) => explainSshCertificateAuthority(runtime, authority),
    }),
    actionsRoute({
      ...common,
      path: `${path}/actions`,
      operationId: 'listSshCertificateAuthorityActions',
      params,
      item,
      words: 'an SSH certificate authority',
      routes,
      foresee: (authority, { runtime: { store } }) =>
        foreseeDeletion(authority, () => refuseWhileUsed(store, SSHCertificateAuthority, authority.metadata)),
    }),
    ...referenceRoutes({
      kind: SSHCertificateAuthority,
      words: 'an SSH certificate authority',
      operation: 'SshCertificateAuthority',
      tags: common.tags,
      path,
      params,
      param: 'sshCertificateAuthorityID',
      endpoint: endpoints.sshCertificateAuthorityReferences,
    }),
  ];
}
