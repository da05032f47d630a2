import { Button } from './button.tsx';
import { Code } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './page.tsx';

/** A secret that the service gives only now. Closed only by the button: it cannot be shown again. */
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
