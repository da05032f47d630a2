import { useBlocker } from '@tanstack/react-router';

import { Button } from './button.tsx';
import { Code } from './copy.tsx';
import { Dialog, isByBrowser } from './dialog.tsx';
import { Notice } from './page.tsx';

/**
 * A secret that the service gives only now. It cannot be shown again, so the dialog is closed only by its button, and
 * the buttons of the browser do not leave it.
 */
export function ShownOnce({
  title,
  text,
  label,
  secret,
  stored,
  onStored,
}: {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly secret: string;
  readonly stored: string;
  readonly onStored: () => void;
}) {
  useBlocker({ shouldBlockFn: isByBrowser });
  return (
    <Dialog
      open
      forced
      onClose={onStored}
      title={title}
      actions={
        <Button kind="primary" onClick={onStored}>
          {stored}
        </Button>
      }
    >
      <Notice tone="warn">{text}</Notice>
      <Code label={label} text={secret} />
    </Dialog>
  );
}
