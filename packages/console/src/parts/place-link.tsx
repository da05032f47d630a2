import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the page of a resource in a project. */
export function PlaceLink({
  org,
  project,
  noun,
  id,
  inText = false,
  children,
}: {
  readonly org: string;
  readonly project: string;
  readonly noun: string;
  readonly id: string;
  /** Inside of a sentence, where colour alone does not tell it from the text around it. */
  readonly inText?: boolean;
  readonly children: ReactNode;
}) {
  const to: string = `/o/${org}/p/${project}/${noun}/${id}`;
  return (
    <Link
      to={to}
      className={`font-medium text-accent-text ${inText ? 'underline underline-offset-2' : 'hover:underline'}`}
    >
      {children}
    </Link>
  );
}
