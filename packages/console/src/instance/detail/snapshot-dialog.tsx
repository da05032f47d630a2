import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import type { Instance, Tag } from '@unikorn/sdk';

import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { FormDialog, MetadataFields } from '../../parts/form.tsx';
import { Notice } from '../../parts/page.tsx';
import { fieldProblem } from '../../parts/problem.tsx';
import { metadataFlags, shellWord } from '../../parts/equivalent.ts';
import { tagFlaw } from '../../parts/tag-edit.ts';
import { metadataOf } from '../../parts/use-form.ts';
import { Same } from '../../shell/same.tsx';
import { words } from '../../words/index.ts';
import { apiPath, useSnapshot } from '../api.ts';

const texts = words.instance.settings;

/** Makes an image of the disk. When it was accepted, the dialog says where the image appears. */
export function SnapshotDialog({ instance, onClose }: { readonly instance: Instance; readonly onClose: () => void }) {
  const snapshot = useSnapshot();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [tags, setTags] = useState<readonly Tag[]>([]);
  const { metadata } = instance;
  const title = texts.snapshotTitle(metadata.name);
  if (snapshot.isSuccess)
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        actions={
          <Button kind="primary" onClick={onClose}>
            {words.parts.close}
          </Button>
        }
      >
        <Notice>
          <span role="status">{texts.snapshotStarted}</span>{' '}
          <Link
            to="/o/$org/p/$project/images"
            params={{ org: metadata.organizationId, project: metadata.projectId }}
            className="text-accent-text underline"
          >
            {words.shell.areas.images}
          </Link>
        </Notice>
      </Dialog>
    );
  const body = { metadata: metadataOf({ name, description, tags }) };
  return (
    <FormDialog
      title={title}
      action={texts.createSnapshot}
      busy={snapshot.isPending}
      error={snapshot.error}
      reason={name.trim() === '' ? `${texts.snapshotName}: ${words.parts.required}` : tagFlaw(tags)}
      onClose={onClose}
      onSave={() => {
        snapshot.mutate({ instance, body });
      }}
    >
      <p className="text-muted">{texts.snapshotHint}</p>
      <TextField
        label={texts.snapshotName}
        hint={words.parts.nameHint}
        value={name}
        onChange={setName}
        maxLength={63}
        autoComplete="off"
        problem={fieldProblem(snapshot.error, 'metadata.name')}
      />
      <MetadataFields
        description={{
          label: words.parts.description,
          value: description,
          problem: fieldProblem(snapshot.error, 'metadata.description'),
          onChange: setDescription,
        }}
        tags={{
          label: words.parts.tags,
          value: tags,
          problem: fieldProblem(snapshot.error, 'metadata.tags'),
          onChange: setTags,
        }}
      />
      <Same
        noun="instance"
        name={metadata.name}
        verb="snapshot"
        flags={[
          `--image-name ${shellWord(name.trim() === '' ? 'NAME' : name.trim())}`,
          ...metadataFlags(body, undefined, name),
        ]}
        organization={metadata.organizationId}
        project={metadata.projectId}
        sent={{ method: 'POST', path: `/compute${apiPath(metadata.id)}/snapshot`, body }}
      />
    </FormDialog>
  );
}
