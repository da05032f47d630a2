import { ButtonLink } from '../parts/button-link.tsx';
import { Icon } from '../parts/icon.tsx';
import { useRights } from '../session/rights.ts';
import { words } from '../words/index.ts';

/** Leads to the form of a new project, or says who can create one. For pages that need a project. */
export function CreateProject({ org }: { readonly org: string }) {
  const rights = useRights(org);
  return (
    <ButtonLink
      kind="primary"
      to={`/o/${org}/projects`}
      search={{ dialog: 'new' }}
      reason={rights.may('identity:projects', 'create') ? undefined : words.shell.noProjectsReason}
    >
      <Icon name="plus" />
      {words.identity.projects.create}
    </ButtonLink>
  );
}
