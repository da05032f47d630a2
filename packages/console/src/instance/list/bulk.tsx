import type { Instance } from '@unikorn/sdk';

import { Button } from '../../parts/button.tsx';
import { number, words } from '../../words/index.ts';

/** The actions on the selected instances. */
export function BulkActions({
  instances,
  onClear,
}: {
  readonly instances: readonly Instance[];
  readonly onClear: () => void;
}) {
  if (instances.length === 0) return null;
  return (
    <div className="sticky bottom-4 z-10 mx-auto flex items-center gap-3 rounded-lg bg-raised px-3 py-2 shadow-pop">
      <span>{words.parts.selected(number(instances.length))}</span>
      <Button kind="quiet" onClick={onClear}>
        {words.parts.clearSelection}
      </Button>
    </div>
  );
}
