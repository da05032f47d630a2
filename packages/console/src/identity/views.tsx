import { useParams } from '@tanstack/react-router';

import { Tabs } from '../parts/tabs.tsx';
import { useRights } from '../session/rights.ts';
import { words } from '../words/index.ts';

const texts = words.identity.matrix;
const parts = { groups: 'roles', projects: 'groups' } as const;

/** The two views of groups and of projects. Those who may not read groups have only the list. */
export function IdentityViews({ noun }: { readonly noun: 'groups' | 'projects' }) {
  const { org = '' } = useParams({ strict: false });
  if (!useRights(org).may('identity:groups', 'read')) return null;
  const list = `/o/${org}/${noun}`;
  return (
    <Tabs
      label={texts.views}
      tabs={[
        { to: list, title: texts.list },
        { to: `${list}/${parts[noun]}`, title: texts.matrix },
      ]}
    />
  );
}
