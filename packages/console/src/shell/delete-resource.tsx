import type { ReactNode } from 'react';

import type { CliNoun } from '../parts/equivalent.ts';
import { DeleteDialog } from '../parts/form.tsx';
import { Same } from './same.tsx';

/** Deletes a resource after its name was typed, and shows the same as a command, file and request. */
export function DeleteResource({
  name,
  noun,
  path,
  text,
  flags = [],
  organization,
  project,
  region,
  remove,
  onClose,
  onDeleted,
  children,
}: {
  readonly name: string;
  /** How the command line calls it, if it can delete it. */
  readonly noun?: CliNoun;
  /** With the service, such as `/region/api/v2/networks/0b7f…`. */
  readonly path: string;
  /** What is lost. */
  readonly text: string;
  readonly flags?: readonly string[];
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly region?: string | undefined;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDeleted?: (() => void) | undefined;
  readonly children?: ReactNode;
}) {
  const place = { organization, project, region, sent: { method: 'DELETE', path } } as const;
  return (
    <DeleteDialog name={name} remove={remove} onClose={onClose} onDeleted={onDeleted}>
      <p>{text}</p>
      {children}
      {noun === undefined ? (
        <Same {...place} />
      ) : (
        <Same {...place} noun={noun} name={name} verb="delete" flags={flags} />
      )}
    </DeleteDialog>
  );
}
