import type { Static } from 'typebox';

import { authorOf, demand, personOf } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
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
import { labels, modifiedMetadata, projectScopedReadMetadata } from '@unikorn/core/resource';

import { NetworkedQuery, SecurityGroupPath } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import {
  SecurityGroupCreate,
  SecurityGroupRead,
  SecurityGroupsRead,
  SecurityGroupUpdate,
} from '../../api/securitygroups.ts';
import type { RegionContext } from '../../context.ts';
import { explainSecurityGroup } from '../../explain/index.ts';
import { refuseWhileUsed } from '../../graph/index.ts';
import { SecurityGroup } from '../../kinds/index.ts';
import { labelOf } from '../../placement.ts';
import { endpoints } from '../endpoints.ts';
import { referenceRoutes } from '../references.ts';
import {
  allowsOn,
  metadataInNetwork,
  openNetworkFor,
  projectItem,
  projectView,
  storedTags,
} from '../project-resources.ts';
import { storedRules, wireRule } from './rules.ts';

const endpoint = endpoints.securityGroups;
const common = { tags: ['Security groups'], security: 'bearer' } as const;
const collection = '/api/v2/securitygroups';
const path = `${collection}/{securityGroupID}` as const;
const item = projectItem(SecurityGroup, 'securityGroupID', endpoint);

function present(group: SecurityGroup): DeepReadonly<Static<typeof SecurityGroupRead>> {
  const { metadata, spec } = group;
  return {
    metadata: projectScopedReadMetadata(SecurityGroup, group, spec.tags),
    spec: { rules: spec.rules.map(wireRule) },
    status: { regionId: labelOf(metadata, labels.region), networkId: labelOf(metadata, labels.network) },
  };
}

export interface SecurityGroupDeps extends Pick<RegionContext, 'providers'> {
  readonly objectLimits: Pick<ObjectLimits, 'securityGroups'>;
}

const existingGroupRoutes: readonly Route[] = [
  collectionRoute({
    ...common,
    path: collection,
    operationId: 'listSecurityGroups',
    summary: 'List the security groups that you may read',
    query: NetworkedQuery,
    response: SecurityGroupsRead,
    kind: SecurityGroup,
    view: (request) => projectView(request, endpoint),
    present,
  }),
  readItemRoute({
    ...common,
    path,
    operationId: 'getSecurityGroup',
    summary: 'Read a security group',
    params: SecurityGroupPath,
    response: SecurityGroupRead,
    item,
    present,
  }),
  itemRoute({
    ...common,
    method: 'PUT',
    path,
    operationId: 'updateSecurityGroup',
    summary: 'Change a security group',
    params: SecurityGroupPath,
    body: SecurityGroupUpdate,
    responses: { 202: SecurityGroupRead },
    item,
    verb: 'update',
    records: 'update',
    actions: ['update'],
    handler: async ({ body, caller, runtime }, { metadata, spec }) => {
      const group = await runtime.store.update(SecurityGroup, {
        metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), runtime.world.now()),
        spec: {
          ...storedTags(body.metadata.tags, caller),
          rules: storedRules(body.spec.rules),
          ...defined({ pause: spec.pause }),
        },
      });
      return { status: 202, body: present(group) };
    },
  }),
  itemRoute({
    ...common,
    method: 'DELETE',
    path,
    operationId: 'deleteSecurityGroup',
    summary: 'Delete a security group; no instance or server may use it',
    params: SecurityGroupPath,
    responses: { 202: null },
    item,
    verb: 'delete',
    records: 'delete',
    actions: ['delete'],
    handler: async ({ caller, runtime }, group) => {
      await requestDeletion(runtime, SecurityGroup, group, {
        by: personOf(caller),
        check: () => refuseWhileUsed(runtime.store, SecurityGroup, group.metadata),
      });
      return { status: 202 };
    },
  }),
];

const furtherRoutes: readonly Route[] = [
  actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listSecurityGroupActions',
    params: SecurityGroupPath,
    item,
    words: 'a security group',
    routes: existingGroupRoutes,
    foresee: (group, { runtime: { store } }) =>
      foreseeDeletion(group, () => refuseWhileUsed(store, SecurityGroup, group.metadata)),
  }),
  ...referenceRoutes({
    kind: SecurityGroup,
    words: 'a security group',
    operation: 'SecurityGroup',
    tags: common.tags,
    path,
    params: SecurityGroupPath,
    param: 'securityGroupID',
    endpoint: endpoints.securityGroupReferences,
  }),
];

export function securityGroupRoutes(deps: SecurityGroupDeps): readonly Route[] {
  return [...existingGroupRoutes, ...furtherRoutes, createRoute(deps), explainRoute(deps)];
}

function createRoute({ objectLimits }: SecurityGroupDeps): Route {
  return route({
    ...common,
    method: 'POST',
    path: collection,
    operationId: 'createSecurityGroup',
    summary: 'Create a security group in a network',
    body: SecurityGroupCreate,
    responses: { 201: SecurityGroupRead, 404: ErrorBody },
    idempotency: 'replay',
    records: 'create',
    handler: async (request) => {
      const { acl, body, caller, runtime } = request;
      const network = await openNetworkFor(request, body.spec.networkId);
      demand(allowsOn(acl, endpoint, 'create', network.metadata), endpoint, 'create');
      const made = await madeBefore(request, SecurityGroup);
      if (made) return { status: 201, body: present(made) };
      await demandRoom(runtime.store, {
        kind: SecurityGroup,
        label: labels.network,
        id: network.metadata.name,
        where: 'network',
        most: objectLimits.securityGroups,
      });
      const group = await runtime.store.create(SecurityGroup, {
        metadata: metadataInNetwork(objectIdFor(request), body.metadata, network, caller),
        spec: { ...storedTags(body.metadata.tags, caller), rules: storedRules(body.spec.rules) },
      });
      return { status: 201, body: present(group) };
    },
  });
}

function explainRoute({ providers }: SecurityGroupDeps): Route {
  return explainItemRoute({
    ...common,
    path: `${path}/explain`,
    operationId: 'explainSecurityGroup',
    summary: 'Explain the state of a security group, and what can help',
    params: SecurityGroupPath,
    response: ExplanationRead,
    item,
    explain: ({ acl, runtime }, group) => explainSecurityGroup({ ...runtime, providers, acl }, group),
  });
}
