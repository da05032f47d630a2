import { Link, useParams } from '@tanstack/react-router';

import { PlaceLink } from './place-link.tsx';
import { referencesIn } from './references.ts';

/** A sentence of the service. The resources that it names are links to their pages. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = referencesIn(text);
  return parts.length === 1 ? text : parts.map((part, index) => <Part key={index} {...part} />);
}

function Part({ text, reference }: ReturnType<typeof referencesIn>[number]) {
  const { org, project } = useParams({ strict: false });
  const look = 'underline underline-offset-2';
  if (reference && org !== undefined && project !== undefined)
    return (
      <PlaceLink org={org} project={project} noun={reference.noun} id={reference.id} inText>
        {text}
      </PlaceLink>
    );
  if (reference?.noun === 'instances')
    return (
      <Link to="/i/$id" params={{ id: reference.id }} className={look}>
        {text}
      </Link>
    );
  return text;
}
