import type { CliNoun } from '../parts/equivalent.ts';
import { DeleteResource } from '../shell/delete-resource.tsx';
import { pathOf, useRefresh } from './queries.ts';

/** Deletes something of an organization, and reads its lists again. */
export function DeleteInOrganization({
  org,
  nouns,
  noun,
  id,
  remove,
  ...rest
}: {
  readonly org: string;
  /** How the API calls it. */
  readonly nouns: string;
  /** How the command line calls it, if it can delete it. */
  readonly noun?: CliNoun;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh(org);
  return (
    <DeleteResource
      {...rest}
      {...(noun && { noun })}
      organization={org}
      path={`${pathOf(org, nouns)}/${id}`}
      remove={async () => {
        await remove();
        await refresh();
      }}
    />
  );
}
