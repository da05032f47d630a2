import { Combobox } from '@base-ui/react/combobox';
import { useMatches, useNavigate } from '@tanstack/react-router';

import { useRegions } from '../catalog/catalog.ts';
import { useRegionFilter } from '../catalog/region-filter.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { prefer } from '../session/preferences.ts';
import { words } from '../words/index.ts';
import { usePlace } from './place.ts';
import { useOrganizations, useProjects } from './tenancy.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The first two parts of the breadcrumb, and the region to which its lists are limited. */
export function Switchers() {
  const { organization } = usePlace();
  return (
    <>
      <OrganizationSwitcher />
      {organization !== undefined && (
        <span aria-hidden="true" className="text-line-strong max-sm:hidden">
          /
        </span>
      )}
      <ProjectSwitcher />
      <RegionFilter className="max-sm:hidden" />
    </>
  );
}

function OrganizationSwitcher() {
  const { organization } = usePlace();
  const { organizations, isPending } = useOrganizations();
  const navigate = useNavigate();
  return (
    <Switcher
      label={words.shell.organization}
      search={words.shell.searchOrganizations}
      choices={organizations.map(({ metadata }) => metadata)}
      current={organization}
      empty={isPending && organization !== undefined ? '…' : words.shell.chooseOrganization}
      className="max-sm:hidden"
      onChoose={(org) => {
        prefer({ organization: org, project: '' });
        void navigate({ to: '/' });
      }}
    />
  );
}

function ProjectSwitcher() {
  const { organization, project } = usePlace();
  const { projects, isPending } = useProjects(organization);
  const navigate = useNavigate();
  if (organization === undefined) return null;
  return (
    <Switcher
      label={words.shell.project}
      search={words.shell.searchProjects}
      choices={projects.map(({ metadata }) => metadata)}
      current={project}
      empty={isPending && project !== undefined ? '…' : words.shell.chooseProject}
      onChoose={(chosen) => {
        void navigate({ to: '/o/$org/p/$project/instances', params: { org: organization, project: chosen } });
      }}
    />
  );
}

/** Only on pages whose rows have a region, and only if there is something to choose. */
export function RegionFilter({ className = '' }: { readonly className?: string }) {
  const { organization } = usePlace();
  const isFiltered = useMatches({ select: (matches) => matches.at(-1)?.staticData.filteredByRegion === true });
  return isFiltered && organization !== undefined ? (
    <RegionChoice organization={organization} className={className} />
  ) : null;
}

function RegionChoice({ organization, className }: { readonly organization: string; readonly className: string }) {
  const { region, choose } = useRegionFilter();
  const { data: regions = [] } = useRegions(organization);
  if (region === undefined && regions.length < 2) return null;
  const known = regions.map(({ metadata }) => metadata);
  return (
    <Switcher
      label={words.shell.region}
      search={words.shell.searchRegions}
      choices={[{ id: '', name: words.shell.allRegions }, ...known]}
      current={region ?? ''}
      empty={region ?? ''}
      icon="regions"
      className={`${region === undefined ? 'text-muted' : 'bg-selected text-accent-text'} ${className}`}
      onChoose={(chosen) => {
        choose(chosen === '' ? undefined : chosen);
      }}
    />
  );
}

function Switcher({
  label,
  search,
  choices,
  current,
  empty,
  onChoose,
  icon,
  className = '',
}: {
  readonly label: string;
  readonly search: string;
  readonly choices: readonly Choice[];
  readonly current: string | undefined;
  readonly empty: string;
  readonly onChoose: (id: string) => void;
  readonly icon?: IconName;
  readonly className?: string;
}) {
  const chosen = choices.find(({ id }) => id === current) ?? null;
  return (
    <Combobox.Root
      items={choices}
      value={chosen}
      itemToStringLabel={({ name }: Choice) => name}
      isItemEqualToValue={(one: Choice, other: Choice) => one.id === other.id}
      onValueChange={(choice: Choice | null) => {
        if (choice) onChoose(choice.id);
      }}
    >
      <Combobox.Trigger
        aria-label={`${label}: ${chosen?.name ?? empty}`}
        className={`flex h-8 min-w-0 items-center gap-1.5 rounded-md px-2 font-medium hover:bg-hover ${className}`}
      >
        {icon && <Icon name={icon} className="shrink-0" />}
        <span className="max-w-40 truncate">{chosen?.name ?? empty}</span>
        <Icon name="upDown" className="size-3.5 shrink-0 text-muted" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner align="start" sideOffset={4} className="z-50">
          <Combobox.Popup
            aria-label={label}
            className="w-64 max-w-[calc(100vw-1rem)] rounded-lg bg-raised p-1 shadow-pop"
          >
            <Combobox.Input
              placeholder={search}
              aria-label={search}
              className="mb-1 h-8 w-full rounded-md border border-field-line bg-surface px-2"
            />
            <Combobox.Empty className="px-2 py-3 text-muted empty:hidden">{words.shell.noneFound}</Combobox.Empty>
            <Combobox.List className="max-h-72 overflow-y-auto">
              {(choice: Choice) => (
                <Combobox.Item
                  key={choice.id}
                  value={choice}
                  className="flex h-8 cursor-default items-center gap-2 rounded-md px-2 select-none data-highlighted:bg-hover"
                >
                  <span className="min-w-0 flex-1 truncate">{choice.name}</span>
                  <Combobox.ItemIndicator>
                    <Icon name="check" className="text-accent-text" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
