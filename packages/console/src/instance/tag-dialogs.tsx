import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { Instance, Tag } from '@unikorn/sdk';

import { ChangedMeanwhile, Choices, FormDialog } from '../parts/form.tsx';
import { useOpened } from '../parts/opened.ts';
import { editedTags, tagFlaw, tagEditOf, type TagEdit } from '../parts/tag-edit.ts';
import { TagField } from '../parts/tag-editor.tsx';
import { Tags } from '../parts/tags.tsx';
import { useApi } from '../session/context.tsx';
import { Same } from '../shell/same.tsx';
import { offerUndo } from '../shell/undo.ts';
import { count, words } from '../words/index.ts';
import { apiPath } from './api.ts';
import { accessTo, restorationOf, tagging } from './reversible.ts';
import { updateOf } from './update-body.ts';

const texts = words.instance.tagging;

/** Changes the tags of an instance. The change can be undone for a short time. */
export function TagsDialog({ instance, onClose }: { readonly instance: Instance; readonly onClose: () => void }) {
  const api = useApi();
  const { opened = instance, theirs, save, load } = useOpened(instance);
  const [tags, setTags] = useState(tagging.of(opened));
  const seen = theirs ?? opened;
  const change = tagging.change(tags);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const { read, write } = accessTo(api, instance);
      return save(read, (headers) => write(seen, change, headers));
    },
    onSuccess: (saved) => {
      if (!saved) return;
      onClose();
      const [before, after] = [tagging.of(seen), tags];
      if (!tagging.isSame(before, after))
        offerUndo(texts.done(instance.metadata.name), [restorationOf(api, instance, tagging, { before, after })]);
    },
  });
  const { metadata } = instance;
  return (
    <FormDialog
      title={texts.title(metadata.name)}
      action={words.parts.save}
      busy={isPending}
      error={error}
      reason={tagFlaw(tags)}
      onClose={onClose}
      onSave={() => {
        mutate();
      }}
    >
      {theirs && (
        <ChangedMeanwhile
          onLoad={() => {
            load();
            setTags(tagging.of(theirs));
          }}
          onMerge={() => {
            load();
            setTags(editedTags(tagging.of(theirs), tagEditOf(tagging.of(opened), tags)));
          }}
        >
          <Tags tags={theirs.metadata.tags} />
        </ChangedMeanwhile>
      )}
      <p className="text-muted">{texts.hint}</p>
      <TagField label={words.instance.columns.tags} value={tags} blank onChange={setTags} />
      <Same
        noun="instance"
        name={metadata.name}
        body={updateOf(seen, change)}
        before={opened}
        fixed={{ networkId: instance.status.networkId }}
        organization={metadata.organizationId}
        project={metadata.projectId}
        sent={{ method: 'PUT', path: `/compute${apiPath(metadata.id)}`, body: updateOf(seen, change) }}
      />
    </FormDialog>
  );
}

/** Sets tags on several instances, and removes others. All other tags of the instances stay. */
export function BulkTagDialog({
  instances,
  onClose,
  onApply,
}: {
  readonly instances: readonly Instance[];
  readonly onClose: () => void;
  readonly onApply: (edit: TagEdit) => void;
}) {
  const [set, setSet] = useState<readonly Tag[]>([]);
  const [remove, setRemove] = useState<readonly string[]>([]);
  const edit: TagEdit = { set, remove };
  return (
    <FormDialog
      title={texts.bulkTitle(count(instances.length, words.instance.one, words.instance.many))}
      action={texts.apply}
      busy={false}
      error={null}
      reason={edit.set.length + remove.length === 0 ? texts.nothing : tagFlaw(edit.set)}
      onClose={onClose}
      onSave={() => {
        onApply(edit);
      }}
    >
      <p className="text-muted">{texts.bulkHint}</p>
      <TagField label={texts.set} value={set} blank onChange={setSet} />
      <Choices label={texts.remove} options={usedTags(instances)} value={remove} onChange={setRemove} />
    </FormDialog>
  );
}

/** The names of all tags that the instances have, with how many have them. */
function usedTags(instances: readonly Instance[]) {
  const names = instances.flatMap((instance) => tagging.of(instance).map(({ name }) => name));
  return [...new Set(names)].toSorted().map((name) => ({
    id: name,
    label: name,
    hint: count(names.filter((each) => each === name).length, words.instance.one, words.instance.many),
  }));
}
