import { lazy, Suspense, useState } from 'react';

import type { CliNoun, FileForm, Writes } from '../parts/equivalent.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { words } from '../words/index.ts';
import { useOrganizations, useProjects } from './tenancy.ts';

/** The request that a form or an action sends. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With the service, such as `/region/api/v2/networks`. */
  readonly path: string;
  /** Without secrets. */
  readonly body?: object | undefined;
}

/** The request of a form: it changes the object of the id, or creates one. */
export function sentTo(collection: string, id: string | undefined, body: object): Sent {
  return id === undefined
    ? { method: 'POST', path: collection, body }
    : { method: 'PUT', path: `${collection}/${id}`, body };
}

/** A form that creates or changes something: command and file come from what it writes. */
type OfWrite = Pick<Writes, 'noun' | 'name' | 'body' | 'before' | 'fixed'> & {
  readonly known?: Writes['known'];
  readonly verb?: undefined;
};

/** An action on something that is there. Only a deletion has a file. */
interface OfAction {
  readonly noun: CliNoun;
  readonly name: string;
  /** The verb of the command line, such as `stop`. */
  readonly verb: string;
  /** With their values, quoted for a shell. */
  readonly flags?: readonly string[];
  readonly known?: Writes['known'];
}

/** What the tables of the command line do not have: the texts themselves. */
interface AsWritten {
  readonly noun?: undefined;
  readonly command?: string | undefined;
  readonly file?: FileForm | undefined;
}

export type SameProps = (OfWrite | OfAction | AsWritten) & {
  readonly sent: Sent;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly region?: string | undefined;
};

/** Needs a library, so it is only loaded when somebody looks. */
const SameView = lazy(async () => ({ default: (await import('./same-view.tsx')).SameView }));

/**
 * What a form or an action does, as a command, as a file, and as a request. Shown wherever something is created,
 * changed, done or deleted.
 *
 * @example <Same noun="network" name={name} body={body} known={[regions]} organization={org} project={project} sent={{ method: 'POST', path: '/region/api/v2/networks', body }} />
 * @example <Same noun="instance" name={name} verb="stop" organization={org} project={project} sent={{ method: 'POST', path: `/compute/api/v2/instances/${id}/stop` }} />
 */
export function Same(props: SameProps) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className="rounded-md border border-line"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="cursor-pointer rounded-md px-3 py-2 text-muted hover:text-text">
        {words.parts.same.title}
      </summary>
      {open && (
        <Suspense fallback={<Skeleton rows={2} />}>
          <SameView {...props} />
        </Suspense>
      )}
    </details>
  );
}

/** The names of where the resource is, as the command line takes them. */
export function usePlaceNames({
  organization,
  project,
  region,
  known = [],
}: Pick<SameProps, 'organization' | 'project' | 'region'> & { readonly known?: Writes['known'] | undefined }) {
  const { organizations } = useOrganizations();
  const { projects } = useProjects(organization);
  const nameIn = (list: Writes['known'][number], id: string) =>
    list.find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  return {
    ...(organization === undefined ? {} : { organization: nameIn(organizations, organization) }),
    ...(project === undefined ? {} : { project: nameIn(projects, project) }),
    ...(region === undefined ? {} : { region: nameIn(known.flat(), region) }),
  };
}
