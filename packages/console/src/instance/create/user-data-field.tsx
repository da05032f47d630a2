import { lazy, Suspense, useId } from 'react';

import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';

const texts = words.instance;

/** The editor and its checks are large, and the page is usable before they are there. */
const UserDataEditor = lazy(async () => ({ default: (await import('./user-data-editor.tsx')).UserDataEditor }));
const UserDataFlaws = lazy(async () => ({ default: (await import('./user-data-flaws.tsx')).UserDataFlaws }));

/** User data for cloud-init, with what is wrong with it. */
export function UserDataField({
  value,
  hint = texts.form.userDataHint,
  problem,
  onChange,
}: {
  readonly value: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <span className="font-medium">{texts.form.userData}</span>
      <Suspense fallback={<div className="h-40 rounded-md border border-field-line" />}>
        <UserDataEditor label={texts.form.userData} describedBy={`${id}-hint`} value={value} onChange={onChange} />
      </Suspense>
      <p id={`${id}-hint`} className="text-sm text-muted">
        {hint}
      </p>
      <Suspense>
        <UserDataFlaws text={value} />
      </Suspense>
      {problem !== undefined && (
        <p lang="en" className="flex items-center gap-1 text-sm text-bad">
          <Icon name="warning" className="size-3.5" />
          {problem}
        </p>
      )}
    </div>
  );
}
