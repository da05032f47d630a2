import { Navigate } from '@tanstack/react-router';

/** The first page of an operator. */
export function PlatformLanding() {
  return <Navigate to="/platform/regions" replace />;
}
