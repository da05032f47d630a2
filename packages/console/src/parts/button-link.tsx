import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Button, buttonLook, type ButtonProps } from './button.tsx';

/** A link that looks like a button. If it leads to something that cannot be done, it is a button that says why. */
export function ButtonLink({
  to,
  search = {},
  kind = 'plain',
  reason,
  children,
}: {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly kind?: NonNullable<ButtonProps['kind']>;
  readonly reason?: string | undefined;
  readonly children: ReactNode;
}) {
  if (reason !== undefined)
    return (
      <Button kind={kind} reason={reason}>
        {children}
      </Button>
    );
  return (
    <Link to={to} search={search} className={buttonLook(kind)}>
      {children}
    </Link>
  );
}
