import type { IconName } from '../parts/icon.tsx';
import type { Area, Rights } from '../session/rights.ts';
import { words } from '../words/index.ts';

/** An entry of the rail. A new noun adds one line to one of the lists. */
export interface Entry {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  /** Users without the right to read this do not see the entry. */
  readonly area: Area;
}

const { areas } = words.shell;

/** Below `/o/$org/p/$project/`. */
export const projectEntries: readonly Entry[] = [
  { to: 'instances', title: areas.instances, icon: 'instances', area: 'compute:instances' },
];

/** Below `/o/$org/`. */
export const organizationEntries: readonly Entry[] = [];

/** Below `/platform/`; only for users with the right on the whole platform. */
export const platformEntries: readonly Entry[] = [];

export interface Group {
  readonly title: string;
  readonly entries: readonly (Entry & { readonly path: string })[];
}

/** The groups of the rail that this user may see, at this place. */
export function groupsFor(
  { organization, project }: { readonly organization: string | undefined; readonly project: string | undefined },
  rights: Rights,
): readonly Group[] {
  const below = (base: string, entries: readonly Entry[], isOpen: (entry: Entry) => boolean) =>
    entries.filter(isOpen).map((entry) => ({ ...entry, path: `${base}/${entry.to}` }));
  const groups = [
    {
      title: words.shell.project,
      entries:
        organization === undefined || project === undefined
          ? []
          : below(`/o/${organization}/p/${project}`, projectEntries, ({ area }) => rights.may(area, 'read', project)),
    },
    {
      title: words.shell.organization,
      entries:
        organization === undefined
          ? []
          : below(`/o/${organization}`, organizationEntries, ({ area }) => rights.may(area, 'read')),
    },
    {
      title: words.shell.platform,
      entries: below('/platform', platformEntries, ({ area }) => rights.mayGlobally(area, 'update')),
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}
