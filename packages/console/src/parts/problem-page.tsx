import { words } from '../words/index.ts';
import { Page } from './page.tsx';
import { Problem } from './problem.tsx';

/** A page whose content cannot be read. Its title is a heading, as that of every page. */
export function ProblemPage({ error }: { readonly error: Error }) {
  return (
    <Page title={words.parts.notShown}>
      <Problem error={error} />
    </Page>
  );
}
