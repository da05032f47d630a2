import { Type } from 'typebox';

import { historySchema } from '@unikorn/core/history';
import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { GroupIDs } from './common.ts';

const ProjectSpec = Type.Object({ groupIDs: GroupIDs }, { $id: 'projectSpec' });

export const ProjectWrite = Type.Object({ metadata: WireWriteMetadata, spec: ProjectSpec }, { $id: 'projectWrite' });
export const ProjectRead = Type.Object(
  { metadata: WireOrganizationScopedMetadata, spec: ProjectSpec },
  { $id: 'projectRead' },
);
export const Projects = Type.Array(ProjectRead, { $id: 'projects' });

export const ProjectHistoryRead = historySchema('projectHistory');
