import { HistoryView } from '../../parts/history.tsx';
import { Section } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';
import { apiPath, versionOf } from '../api.ts';
import { useInstance } from './instance.tsx';

export function InstanceHistory() {
  const instance = useInstance();
  return (
    <Section title={words.instance.tabs.history} flush>
      <HistoryView service="compute" path={apiPath(instance.metadata.id)} version={versionOf(instance)} />
    </Section>
  );
}
