import { CascadingDelete, type ControllerContext } from '@unikorn/core/controller';
import { Project } from '@unikorn/identity/client';

import { propagationsFrom } from '../graph/index.ts';
import { projectKinds } from '../kinds/index.ts';

/** A project that goes takes with it what it owns here, as the lifecycle graph says. */
export function projectConsumer(context: ControllerContext): CascadingDelete {
  const targets = propagationsFrom(Project.id).flatMap(({ to, label }) =>
    projectKinds.filter(({ id }) => id === to).map((kind) => ({ kind, label })),
  );
  return new CascadingDelete({ name: 'region-project-consumer', owner: Project, targets }, context);
}
