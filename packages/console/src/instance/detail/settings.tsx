import { useState } from 'react';

import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/copy.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { fieldProblem, Problem } from '../../parts/problem.tsx';
import { useActions } from '../../session/actions.ts';
import { words } from '../../words/index.ts';
import { askedAbout, useProtection, useSshKey, useUpdate } from '../api.ts';
import { AfterRebuild } from '../fields.tsx';
import { useInstanceDialog } from './actions.tsx';
import { useInstance } from './instance.tsx';

const texts = words.instance.settings;

export function InstanceSettings() {
  const instance = useInstance();
  const { metadata, spec } = instance;
  const against = useActions(askedAbout(instance));
  const update = useUpdate();
  const key = useSshKey();
  const protect = useProtection();
  const open = useInstanceDialog();
  return (
    <div className="grid max-w-3xl gap-4">
      <Section title={texts.behaviour}>
        <div className="flex flex-col gap-4">
          <CheckField
            label={texts.protection}
            hint={texts.protectionHint}
            checked={spec.deletionProtection === true}
            disabled={protect.isPending || against('update') !== undefined}
            onChange={(on) => {
              protect.mutate({ instance, on });
            }}
          />
          <div className="max-w-xs">
            <AfterRebuild
              value={spec.afterRebuild}
              disabled={update.isPending || against('update') !== undefined}
              onChange={(afterRebuild) => {
                update.mutate({ instance, change: { spec: { afterRebuild } } });
              }}
            />
          </div>
          {protect.error && <Problem error={protect.error} />}
          {update.error && <Problem error={update.error} />}
        </div>
      </Section>
      <Description />
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
        <div className="flex flex-col gap-3">
          <p className="text-muted">{texts.snapshotHint}</p>
          <Button
            className="self-start"
            reason={against('snapshot')}
            onClick={() => {
              open('snapshot');
            }}
          >
            {texts.createSnapshot}
          </Button>
        </div>
      </Section>
    </div>
  );
}

/** What the instance is for, in the words of its users. */
function Description() {
  const instance = useInstance();
  const { description: now = '' } = instance.metadata;
  const against = useActions(askedAbout(instance));
  const update = useUpdate();
  const [written, setWritten] = useState<string>();
  const description = written ?? now;
  const isSame = description.trim() === now;
  return (
    <Section title={words.parts.description}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSame || against('update') !== undefined) return;
          update.mutate(
            { instance, change: { metadata: { description: description.trim() } } },
            {
              onSuccess: () => {
                setWritten(undefined);
              },
            },
          );
        }}
      >
        <TextField
          label={words.parts.description}
          hideLabel
          value={description}
          maxLength={4096}
          problem={fieldProblem(update.error, 'metadata.description')}
          onChange={setWritten}
        />
        <Button
          type="submit"
          className="self-start"
          busy={update.isPending}
          reason={against('update') ?? (isSame ? texts.described : undefined)}
        >
          {texts.describe}
        </Button>
        {update.error && <Problem error={update.error} />}
      </form>
    </Section>
  );
}
