import { waits } from '../limits.ts';
import { useActions } from '../session/actions.ts';
import { words } from '../words/index.ts';
import { useVerbs, VerbButton, type Verb } from './verbs.tsx';

export interface ResourceActionsProps {
  readonly name: string;
  /** What a change is called. False for what cannot be changed. */
  readonly edit?: string | false | undefined;
  /** The path of the resource in the API of its region, which says what can be done with it. */
  readonly path: string;
  /** What changes whenever the answer may be another one. */
  readonly version: string;
  /** Opens the dialog that asks for the rest. */
  readonly open: (dialog: 'edit' | 'delete') => void;
}

/** The usual verbs of a resource: its page shows them as buttons, and the palette offers them, too. */
export function ResourceActions({ name, edit = words.parts.edit, path, version, open }: ResourceActionsProps) {
  const against = useActions({ service: 'region', path, version }, waits.poll_ms);
  const change = (title: string): Verb => ({
    key: 'edit',
    title,
    icon: 'edit',
    reason: against('update'),
    run: () => {
      open('edit');
    },
  });
  const remove: Verb = {
    key: 'delete',
    title: words.parts.remove,
    icon: 'trash',
    danger: true,
    reason: against('delete'),
    run: () => {
      open('delete');
    },
  };
  const verbs = edit === false ? [remove] : [change(edit), remove];
  useVerbs(name, verbs);
  return verbs.map((verb) => <VerbButton key={verb.key} verb={verb} />);
}
