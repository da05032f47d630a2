import { Page } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

export function CreateInstancePage() {
  return (
    <Page title={words.instance.create}>
      <p />
    </Page>
  );
}
