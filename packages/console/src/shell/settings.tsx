import { useQueries } from '@tanstack/react-query';

import { CheckField, ChoiceField } from '../parts/field.tsx';
import { Fact, Facts, Page, Section } from '../parts/page.tsx';
import { absoluteTime, useNow } from '../parts/time.tsx';
import { Account } from './account.tsx';
import { useApi } from '../session/context.tsx';
import { prefer, usePreferences } from '../session/preferences.ts';
import { words } from '../words/index.ts';
import { languageNames, languageOf, languages } from '../words/language.ts';

const services = ['identity', 'region', 'compute'] as const;

/** Settings of this browser, and links to the reference. */
export function Settings() {
  const { theme, density, timeZone, language, singleKeys } = usePreferences();
  const now = useNow();
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
        <Section title={words.shell.appearance}>
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceField
              label={words.shell.theme}
              value={theme}
              choices={(['system', 'light', 'dark'] as const).map((value) => ({
                value,
                label: words.shell.themes[value],
              }))}
              onChange={(value) => {
                prefer({ theme: value === 'light' || value === 'dark' ? value : 'system' });
              }}
            />
            <ChoiceField
              label={words.shell.density}
              hint={words.shell.densityHint}
              value={density}
              choices={(['compact', 'comfortable'] as const).map((value) => ({
                value,
                label: words.shell.densities[value],
              }))}
              onChange={(value) => {
                prefer({ density: value === 'comfortable' ? value : 'compact' });
              }}
            />
          </div>
        </Section>
        <Section title={words.shell.timeAndLanguage}>
          <div className="grid gap-4 sm:grid-cols-2">
            <ChoiceField
              label={words.shell.timeZone}
              hint={words.shell.timeZoneHint(absoluteTime(now, timeZone))}
              value={timeZone}
              choices={[{ value: '', label: words.shell.systemZone(systemZone()) }, ...timeZones]}
              onChange={(value) => {
                prefer({ timeZone: value });
              }}
            />
            <ChoiceField
              label={words.shell.language}
              hint={words.shell.languageHint}
              value={language}
              choices={languageNames.map((value) => ({ value, label: languages[value].name }))}
              onChange={(value) => {
                prefer({ language: languageOf(value) });
                // Texts are chosen once, when the pages are loaded.
                location.reload();
              }}
            />
          </div>
        </Section>
        <Section title={words.shell.keyboard}>
          <CheckField
            label={words.shell.singleKeys}
            checked={singleKeys}
            onChange={(checked) => {
              prefer({ singleKeys: checked });
            }}
          />
        </Section>
        <Account />
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

/** UTC first: operators of several places agree on it. */
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')].map((name) => ({
  value: name,
  label: name.replaceAll('_', ' '),
}));

function systemZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function versionIn(body: unknown): string {
  const version: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'version') : undefined;
  return typeof version === 'string' ? version : '';
}
