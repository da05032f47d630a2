import { Outlet } from '@tanstack/react-router';

import { Notice, Page } from '../parts/page.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useRights } from '../session/rights.ts';
import { platformEntries } from '../shell/areas.ts';
import { words } from '../words/index.ts';
import { platformWords } from '../words/platform.ts';

/** The pages of the operators. A role in an organization opens none of them. */
export function PlatformPages() {
  const rights = useRights(undefined);
  if (!rights.known) return <Skeleton />;
  if (platformEntries.some(({ area }) => rights.mayGlobally(area, 'read'))) return <Outlet />;
  return (
    <Page title={words.shell.platform}>
      <Notice>{platformWords.notAllowed}</Notice>
    </Page>
  );
}
