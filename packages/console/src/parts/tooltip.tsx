import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useState, type ReactElement } from 'react';

/** A short text that appears over an element, by pointer and by keyboard. */
export function Tooltip({
  text,
  onPress = false,
  children,
}: {
  readonly text: string;
  /** Whether a press shows it, too: on a touch screen there is no pointer that rests on an element. */
  readonly onPress?: boolean;
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  const [open, setOpen] = useState(false);
  const show = () => {
    setOpen(true);
  };
  return (
    <Base.Root {...(onPress ? { open, onOpenChange: setOpen } : {})}>
      <Base.Trigger render={children} closeOnClick={!onPress} {...(onPress ? { onClick: show } : {})} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="max-w-xs rounded-md bg-text px-2 py-1 text-sm text-page shadow-pop">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export const TooltipProvider = Base.Provider;
