import { words } from '../words/index.ts';
import { useVerbs, VerbButton, type Verb } from './verbs.tsx';

/** The usual verbs of a resource: its page shows them as buttons, and the palette offers them, too. */
export function ResourceActions({
  name,
  edit = words.parts.edit,
  reason,
  open,
}: {
  readonly name: string;
  /** What a change is called. */
  readonly edit?: string;
  readonly reason: (verb: 'update' | 'delete') => string | undefined;
  /** Opens the dialog that asks for the rest. */
  readonly open: (dialog: 'edit' | 'delete') => void;
}) {
  const change: Verb = {
    key: 'edit',
    title: edit,
    icon: 'edit',
    reason: reason('update'),
    run: () => {
      open('edit');
    },
  };
  const remove: Verb = {
    key: 'delete',
    title: words.parts.remove,
    icon: 'trash',
    danger: true,
    reason: reason('delete'),
    run: () => {
      open('delete');
    },
  };
  useVerbs(name, [change, remove]);
  return (
    <>
      <VerbButton verb={change} />
      <VerbButton verb={remove} />
    </>
  );
}
