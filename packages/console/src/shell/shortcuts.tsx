import { Dialog } from '../parts/dialog.tsx';
import { words } from '../words/index.ts';

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog open title={words.shell.shortcuts} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {words.shell.shortcutList.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line-strong bg-sunken px-1.5 font-mono text-sm">{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
