import { ButtonLink } from '../../parts/button-link.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty } from '../../parts/page.tsx';
import { byName } from '../../parts/rows.tsx';
import { useRights } from '../../session/rights.ts';
import { CreateProject } from '../../shell/create-project.tsx';
import { usePlace } from '../../shell/place.ts';
import { usePlaceNames } from '../../shell/same.tsx';
import { useProjects } from '../../shell/tenancy.ts';
import { words } from '../../words/index.ts';

const texts = words.instance;

export function CreateButton({
  org,
  project,
  title = texts.create,
}: {
  readonly org: string;
  readonly project: string;
  readonly title?: string;
}) {
  const rights = useRights(org);
  return (
    <ButtonLink
      kind="primary"
      to={`/o/${org}/p/${project}/instances/new`}
      reason={rights.may('compute:instances', 'create', project) ? undefined : words.parts.missingRight}
    >
      <Icon name="plus" />
      {title}
    </ButtonLink>
  );
}

/** A project without instances. */
export function EmptyProject({ org, project }: { readonly org: string; readonly project: string }) {
  const create = <CreateButton org={org} project={project} />;
  return (
    <Empty icon="instances" title={texts.empty} action={create} command={texts.command}>
      <p>{texts.emptyText}</p>
    </Empty>
  );
}

/**
 * An organization without instances. An instance needs a project: this offers the last one of the user, or the first,
 * among those in which the user may create one. Without such a project, it says what to do.
 */
export function EmptyOrganization({ org }: { readonly org: string }) {
  const { projects, isPending } = useProjects(org);
  const rights = useRights(org);
  const last = usePlace().project;
  const allowed = projects.filter(({ metadata }) => rights.may('compute:instances', 'create', metadata.id));
  const [first] = (allowed.length > 0 ? allowed : projects).toSorted(byName);
  const chosen = allowed.find(({ metadata }) => metadata.id === last) ?? first;
  const names = usePlaceNames({ organization: org, project: chosen?.metadata.id });
  if (isPending || !rights.known) return null;
  const [action, command] = chosen
    ? [
        <CreateButton org={org} project={chosen.metadata.id} title={texts.createIn(chosen.metadata.name)} />,
        `${texts.command} --organization ${names.organization ?? org} --project ${chosen.metadata.name}`,
      ]
    : [<CreateProject org={org} />, words.identity.projects.command];
  return (
    <Empty icon="instances" title={texts.empty} action={action} command={command}>
      <p>{texts.allEmptyText}</p>
      {!chosen && <p>{texts.needsProject}</p>}
      {chosen && allowed.length === 0 && <p>{texts.needsRight}</p>}
    </Empty>
  );
}
