import type { Instance } from '@unikorn/sdk';

import { Dialog } from '../../parts/dialog.tsx';
import { words } from '../../words/index.ts';

export function ChangeDialog({ instance, onClose }: { readonly instance: Instance; readonly onClose: () => void }) {
  return (
    <Dialog open wide title={words.instance.change.title(instance.metadata.name)} onClose={onClose}>
      <p />
    </Dialog>
  );
}
