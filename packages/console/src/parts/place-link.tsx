import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the page of a resource in a project. */
export function PlaceLink({
  org,
  project,
  noun,
  id,
  children,
}: {
  readonly org: string;
  readonly project: string;
  readonly noun: string;
  readonly id: string;
  readonly children: ReactNode;
}) {
  const to: string = `/o/${org}/p/${project}/${noun}/${id}`;
  return (
    <Link to={to} className="font-medium text-accent-text hover:underline">
      {children}
    </Link>
  );
}
