import { useParams } from '@tanstack/react-router';

import { usePreferences } from '../session/preferences.ts';

/** The organization and project of the page, or those that the user was in last. */
export function usePlace(): { readonly organization: string | undefined; readonly project: string | undefined } {
  const { org, project } = useParams({ strict: false });
  const preferred = usePreferences();
  const organization = org ?? (preferred.organization || undefined);
  const sameOrganization = org === undefined || org === preferred.organization;
  return { organization, project: project ?? (sameOrganization ? preferred.project || undefined : undefined) };
}
