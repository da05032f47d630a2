import { Link } from '@tanstack/react-router';

import { count, words } from '../words/index.ts';

/** How many instances use something, as a link to the list of exactly these. */
export function InstancesLink({
  org,
  project,
  instances,
  by,
}: {
  readonly org: string;
  readonly project: string;
  /** Their number. */
  readonly instances: number;
  /** The filter of the list that leaves only these. */
  readonly by: Readonly<Partial<Record<'network' | 'group' | 'authority' | 'image' | 'region', string>>>;
}) {
  const text = count(instances, words.instance.one, words.instance.many);
  if (instances === 0) return <span className="text-muted">{text}</span>;
  return (
    <Link
      to="/o/$org/p/$project/instances"
      params={{ org, project }}
      // The region of this page would hide instances that are counted here.
      search={{ region: undefined, ...by }}
      className="font-medium whitespace-nowrap text-accent-text hover:underline"
    >
      {text}
    </Link>
  );
}
