import type { Caches, Runnable } from '@unikorn/core/controller';
import {
  activityRoute,
  changedFields,
  History,
  historyRoute,
  historySweeper,
  transitionRecorder,
  type HistoryOptions,
  type HistorySubject,
} from '@unikorn/core/history';
import type { Route } from '@unikorn/core/http';
import type { Telemetry } from '@unikorn/core/telemetry';

import { ProjectHistoryRead, ProjectPath } from '../api/index.ts';
import { identityHistoryStorage, Project } from '../kinds/index.ts';

/** The history of projects. */
export const projectSubject: HistorySubject<typeof Project> = {
  kind: Project,
  resource: 'project',
  storage: identityHistoryStorage,
  param: 'projectID',
  endpoint: 'identity:projects',
  changes: (before, after) =>
    changedFields({ groupIDs: 'spec.groupIDs', tags: 'metadata.tags' }, before.spec, after.spec),
};

export interface HistoryContext extends Pick<HistoryOptions, 'store' | 'world'> {
  readonly telemetry: Telemetry;
  readonly caches: Caches;
}

export function projectHistory(context: Omit<HistoryOptions, 'subject'>): History {
  return new History({ ...context, subject: projectSubject });
}

/** Records the changes of projects, and removes old history. */
export function historyRunnables(
  history: History,
  { caches, ...context }: HistoryContext,
  retention_ms: number,
): readonly Runnable[] {
  return [
    transitionRecorder('identity-history-project', caches.of(Project), history, context.telemetry),
    historySweeper({ ...context, name: 'identity-history-sweeper', storage: identityHistoryStorage, retention_ms }),
  ];
}

/** The history of a project, for callers who may read the project, and the activity on all projects. */
export function historyRoutes(history: History): readonly Route[] {
  return [
    activityRoute('/api/v1/activity', identityHistoryStorage, [history.subject]),
    historyRoute({
      history,
      path: '/api/v1/organizations/{organizationID}/projects/{projectID}',
      params: ProjectPath,
      operationId: 'getProjectHistory',
      summary: 'Read the history of a project, also of a deleted one; the latest entry is last',
      tags: ['Projects'],
      response: ProjectHistoryRead,
    }),
  ];
}
