import { useState } from 'react';

import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/copy.tsx';
import { CheckField, ChoiceField, TextField } from '../../parts/field.tsx';
import { Notice, Section } from '../../parts/page.tsx';
import { fieldProblem, Problem } from '../../parts/problem.tsx';
import { useActions } from '../../session/actions.ts';
import { words } from '../../words/index.ts';
import { apiPath, useSnapshot, useSshKey, useUpdate, versionOf } from '../api.ts';
import { useInstance } from './instance.tsx';

const texts = words.instance.settings;

export function InstanceSettings() {
  const instance = useInstance();
  const { metadata, spec } = instance;
  const against = useActions('compute', apiPath(metadata.id), versionOf(instance));
  const update = useUpdate();
  const key = useSshKey();
  const snapshot = useSnapshot();
  const [name, setName] = useState('');
  return (
    <div className="grid max-w-3xl gap-4">
      <Section title={texts.behaviour}>
        <div className="flex flex-col gap-4">
          <CheckField
            label={texts.protection}
            hint={texts.protectionHint}
            checked={spec.deletionProtection === true}
            disabled={update.isPending || against('update') !== undefined}
            onChange={(deletionProtection) => {
              update.mutate({ instance, change: { spec: { deletionProtection } } });
            }}
          />
          <div className="max-w-xs">
            <ChoiceField
              label={texts.afterRebuild}
              value={spec.afterRebuild ?? 'start'}
              disabled={update.isPending || against('update') !== undefined}
              choices={[
                { value: 'start', label: texts.afterRebuildStart },
                { value: 'stop', label: texts.afterRebuildStop },
              ]}
              onChange={(value) => {
                update.mutate({ instance, change: { spec: { afterRebuild: value === 'stop' ? 'stop' : 'start' } } });
              }}
            />
          </div>
          {update.error && <Problem error={update.error} />}
        </div>
      </Section>
      <Section title={texts.sshKey}>
        <div className="flex flex-col gap-3">
          <p className="text-muted">{texts.sshKeyHint}</p>
          {key.data ? (
            <Code label={texts.sshKey} text={key.data.privateKey} />
          ) : (
            <Button
              className="self-start"
              busy={key.isPending}
              reason={against('sshkey')}
              onClick={() => {
                key.mutate(metadata.id);
              }}
            >
              {texts.showSshKey}
            </Button>
          )}
          {key.error && <Problem error={key.error} />}
        </div>
      </Section>
      <Section title={texts.snapshot}>
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            snapshot.mutate(
              { instance, name },
              {
                onSuccess: () => {
                  setName('');
                },
              },
            );
          }}
        >
          <p className="text-muted">{texts.snapshotHint}</p>
          <div className="flex flex-wrap items-end gap-2">
            <div className="w-72">
              <TextField
                label={texts.snapshotName}
                value={name}
                onChange={setName}
                required
                maxLength={63}
                problem={fieldProblem(snapshot.error, 'metadata.name')}
              />
            </div>
            <Button type="submit" busy={snapshot.isPending} reason={against('snapshot')}>
              {texts.createSnapshot}
            </Button>
          </div>
          {snapshot.isSuccess && <Notice>{texts.snapshotStarted}</Notice>}
          {snapshot.error && <Problem error={snapshot.error} />}
        </form>
      </Section>
    </div>
  );
}
