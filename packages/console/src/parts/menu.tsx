import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

import { Icon, type IconName } from './icon.tsx';

/** A button that opens a list of actions. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50">
          <Base.Popup className="min-w-44 max-w-[calc(100vw-1rem)] rounded-lg bg-raised p-1 shadow-pop outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export const menuItemLook =
  'flex min-h-8 items-center gap-2 rounded-md px-2 cursor-default select-none outline-none data-highlighted:bg-hover data-disabled:text-muted';

export interface MenuItemProps {
  readonly icon?: IconName;
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  /** Why it cannot be chosen now. */
  readonly reason?: string | undefined;
}

export function MenuItem({ icon, children, onSelect, danger = false, reason }: MenuItemProps) {
  return (
    <Base.Item
      className={`${menuItemLook} ${danger && reason === undefined ? 'text-bad' : ''}`}
      disabled={reason !== undefined}
      onClick={onSelect}
    >
      {icon !== undefined && <Icon name={icon} className={reason === undefined ? '' : 'mt-1.5 self-start'} />}
      <span className="flex min-w-0 flex-col py-1">
        {children}
        {reason !== undefined && <span className="max-w-60 text-sm break-words text-muted">{reason}</span>}
      </span>
    </Base.Item>
  );
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}

/** An entry that can be on or off. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.CheckboxItem className={menuItemLook} checked={checked} onCheckedChange={onChange}>
      <span className="size-4">{checked && <Icon name="check" />}</span>
      {children}
    </Base.CheckboxItem>
  );
}

/** Entries under a title. */
export function MenuGroup({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 py-1.5">{title}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}
