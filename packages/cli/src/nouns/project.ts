import type { Project } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const project: Noun<Project> = {
  name: 'project',
  plural: 'projects',
  description: 'a part of an organization, with its resources and the groups that may use them',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/projects',
  idParameter: 'projectID',
  verbs: ['get', 'watch', 'explain', 'create', 'update', 'delete'],
  scope: ['organization'],
  history: true,
  columns: [{ header: 'GROUPS', value: ({ spec }) => spec.groupIDs, noun: 'group' }],
  fields: [
    {
      flag: 'group',
      path: 'spec.groupIDs',
      type: 'list',
      noun: 'group',
      fallback: [],
      description: 'group whose members may use it',
    },
  ],
  holdsProtected: true,
  loss: 'everything in it',
  contents: ['instance', 'loadbalancer', 'securitygroup', 'network', 'filestorage', 'sshca'],
  examples: { create: 'create shop --group developers', update: 'update shop --group developers --group readers' },
};
