import { lazy, Suspense, useState } from 'react';

import type { Writes } from '../parts/equivalent.ts';
import { Skeleton } from '../parts/page.tsx';
import { words } from '../words/index.ts';
import { useOrganizations, useProjects } from './tenancy.ts';

/** The request that a form sends. */
export interface Sent {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** With the service, such as `/region/api/v2/networks`. */
  readonly path: string;
  /** Without secrets. */
  readonly body?: object | undefined;
}

export type SameProps = Omit<Partial<Writes>, 'place' | 'known'> & {
  readonly sent: Sent;
  readonly known?: Writes['known'];
  readonly organization: string;
  readonly project?: string | undefined;
  readonly region?: string | undefined;
};

/** Needs a library, so it is only loaded when somebody looks. */
const SameView = lazy(async () => ({ default: (await import('./same-view.tsx')).SameView }));

/**
 * What a form does, as a command, as a file for `unikorn apply`, and as a request. Shown wherever something is created
 * or changed.
 *
 * @example <Same noun="network" name={name} body={body} known={[regions]} organization={org} project={project} sent={{ method: 'POST', path: '/region/api/v2/networks', body }} />
 */
export function Same({ organization, project, region, noun, name, body, known = [], sent, ...rest }: SameProps) {
  const [open, setOpen] = useState(false);
  const { organizations } = useOrganizations();
  const { projects } = useProjects(organization);
  const nameIn = (list: readonly { readonly metadata: { readonly id: string; readonly name: string } }[], id: string) =>
    list.find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  const place = {
    organization: nameIn(organizations, organization),
    ...(project === undefined ? {} : { project: nameIn(projects, project) }),
    ...(region === undefined ? {} : { region: nameIn(known.flat(), region) }),
  };
  const writes: Writes | undefined =
    noun === undefined || body === undefined ? undefined : { noun, name: name ?? '', body, known, place, ...rest };
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
          <SameView writes={writes} sent={sent} />
        </Suspense>
      )}
    </details>
  );
}
