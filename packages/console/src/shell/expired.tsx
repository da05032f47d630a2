import { useState } from 'react';

import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/page.tsx';
import { useServices } from '../session/context.tsx';
import { words } from '../words/index.ts';

/** Over the untouched page, when the session of the browser has ended. */
export function Expired() {
  const { session } = useServices();
  const [blocked, setBlocked] = useState(false);
  return (
    <Dialog
      open
      forced
      onClose={() => undefined}
      title={words.shell.expiredTitle}
      actions={
        <Button
          kind="primary"
          onClick={() => {
            void session.openLogin().then((opened) => {
              setBlocked(!opened);
            });
          }}
        >
          {words.shell.logIn}
        </Button>
      }
    >
      <p>{words.shell.expiredText}</p>
      {blocked && <Notice tone="warn">{words.shell.popupBlocked}</Notice>}
    </Dialog>
  );
}
