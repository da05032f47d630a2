import { useQueries } from '@tanstack/react-query';

import { CheckField, ChoiceField } from '../parts/field.tsx';
import { Fact, Facts, Page, Section } from '../parts/page.tsx';
import { useApi } from '../session/context.tsx';
import { prefer, usePreferences } from '../session/preferences.ts';
import { words } from '../words/index.ts';

const services = ['identity', 'region', 'compute'] as const;

/** Settings of this browser, and links to the reference. */
export function Settings() {
  const { theme, singleKeys } = usePreferences();
  const api = useApi();
  const versions = useQueries({
    queries: services.map((service) => ({
      queryKey: ['version', service],
      queryFn: async () => {
        const { data } = await api[service].untyped.send('GET', '/api/version');
        return versionIn(data);
      },
    })),
  });
  return (
    <Page title={words.shell.settings}>
      <div className="grid max-w-3xl gap-4">
        <Section title={words.shell.theme}>
          <div className="flex max-w-xs flex-col gap-4">
            <ChoiceField
              label={words.shell.theme}
              hideLabel
              value={theme}
              choices={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                label: words.shell.themes[value],
              }))}
              onChange={(value) => {
                prefer({ theme: value === 'light' || value === 'dark' ? value : 'system' });
              }}
            />
            <CheckField
              label={words.shell.singleKeys}
              checked={singleKeys}
              onChange={(checked) => {
                prefer({ singleKeys: checked });
              }}
            />
          </div>
        </Section>
        <Section title={words.shell.reference}>
          <Facts>
            {services.map((service, index) => (
              <Fact key={service} name={service}>
                <a className="text-accent-text underline" href={`/${service}/docs`}>
                  /{service}/docs
                </a>{' '}
                <span className="text-muted">{versions[index]?.data}</span>
              </Fact>
            ))}
          </Facts>
        </Section>
      </div>
    </Page>
  );
}

function versionIn(body: unknown): string {
  const version: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'version') : undefined;
  return typeof version === 'string' ? version : '';
}
