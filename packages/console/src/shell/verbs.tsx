import { useEffect, useId, useSyncExternalStore } from 'react';

import { Button, type ButtonProps } from '../parts/button.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { MenuItem } from '../parts/menu.tsx';

/** Something that can be done with the resource of a page, or with the selected ones. */
export interface Verb {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  /** Why it cannot be done now, as the service says it. */
  readonly reason?: string | undefined;
  /** Does it, or asks for consent first. */
  readonly run: () => void;
}

export interface Offer {
  /** What the verbs are about, such as the name of an instance. */
  readonly about: string;
  readonly verbs: readonly Verb[];
}

let offers: ReadonlyMap<string, Offer> = new Map();
const listeners = new Set<() => void>();

function set(next: ReadonlyMap<string, Offer>): void {
  offers = next;
  for (const listener of listeners) listener();
}

function without(id: string): ReadonlyMap<string, Offer> {
  return new Map([...offers].filter(([key]) => key !== id));
}

/**
 * Offers the verbs of a page in the command palette, too. The page draws the same verbs as buttons, so that both do the
 * same and give the same reasons.
 */
export function useVerbs(about: string, verbs: readonly Verb[]): void {
  const id = useId();
  // At every drawing: the palette must show the reasons of now.
  useEffect(() => {
    set(verbs.length === 0 ? without(id) : new Map([...without(id), [id, { about, verbs }]]));
  });
  useEffect(
    () => () => {
      set(without(id));
    },
    [id],
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the palette offers for the page that is shown. */
export function useOffers(): readonly Offer[] {
  return [...useSyncExternalStore(subscribe, () => offers).values()];
}

/** A verb as a button of its page. */
export function VerbButton({
  verb: { title, icon, danger = false, reason, run },
  ...rest
}: { readonly verb: Verb } & Pick<ButtonProps, 'busy'>) {
  return (
    <Button kind={danger ? 'danger' : 'plain'} reason={reason} onClick={run} {...rest}>
      <Icon name={icon} />
      {title}
    </Button>
  );
}

/** A verb as an entry of a menu. */
export function VerbItem({ verb: { title, icon, danger = false, reason, run } }: { readonly verb: Verb }) {
  return (
    <MenuItem icon={icon} danger={danger} reason={reason} onSelect={run}>
      {title}
    </MenuItem>
  );
}
