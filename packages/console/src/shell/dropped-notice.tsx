import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/page.tsx';
import { words } from '../words/index.ts';

/** Says what of the address has no effect, so that nobody takes the page for what the address asked for. */
export function DroppedNotice({
  parameters,
  onClose,
}: {
  readonly parameters: readonly string[];
  readonly onClose: () => void;
}) {
  return (
    <div role="status" className="pb-4">
      <Notice tone="warn">
        <div className="flex items-start justify-between gap-4">
          <p className="min-w-0 break-words">{words.shell.dropped(parameters.join(', '))}</p>
          <IconButton label={words.parts.close} className="-my-1.5" onClick={onClose}>
            <Icon name="cross" />
          </IconButton>
        </div>
      </Notice>
    </div>
  );
}
