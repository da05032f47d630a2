import { WatchedObjects, watchedOwners } from '@unikorn/core/calls';
import { CascadingDelete } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { projectKindId, propagationsFrom } from '../graph/index.ts';
import { projectKinds } from '../kinds/index.ts';

/** Deletes the resources of a project when the project is deleted, as the lifecycle graph says. */
export function projectConsumer(context: RegionContext): CascadingDelete {
  const { identityClient, world, telemetry } = context;
  const targets = propagationsFrom(projectKindId).flatMap(({ to, label }) =>
    projectKinds.filter(({ id }) => id === to).map((kind) => ({ kind, label })),
  );
  const owners = watchedOwners({
    what: 'project',
    objects: new WatchedObjects({
      what: 'projects',
      watch: (options) => identityClient.watchProjects({}, options),
      world,
      telemetry,
    }),
    ownerOf: (project) => project,
    ask: (projectId, { metadata }) =>
      identityClient.project({}, { organizationId: metadata.labels?.[labels.organization] ?? '', projectId }),
  });
  return new CascadingDelete({ name: 'region-project-consumer', owners, targets }, context);
}
