import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { limits } from '../limits.ts';
import { useCopy } from '../parts/copy.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useServices } from '../session/context.tsx';
import { prefer } from '../session/preferences.ts';
import { useRights } from '../session/rights.ts';
import { number, words } from '../words/index.ts';
import { groupsFor } from './areas.ts';
import { pageCommand } from './page-command.ts';
import { usePaletteResources } from './palette-resources.ts';
import { keysOf, search } from './palette-search.ts';
import { usePlace } from './place.ts';
import { usePlaceNames } from './same.tsx';
import { runUndo, useUndo } from './undo.ts';
import { useOffers, type Verb } from './verbs.tsx';

interface Item {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  readonly icon: IconName;
  /** The texts by which it is found. */
  readonly keys: string;
  /** Why it cannot be done now. */
  readonly reason?: string | undefined;
  readonly run: () => void;
}

interface Group {
  readonly value: string;
  readonly items: readonly Item[];
}

/** Most entries of one group that are shown at once. */
const shown = 30;

/** Pages, commands and resources by name, id or address. A click and Enter do the same. */
export function PaletteDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { groups, isPart } = useGroups(onClose, text);
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Popup
          aria-label={words.shell.palette}
          className="fixed inset-x-0 top-[12vh] z-50 mx-auto flex max-h-[70vh] w-[calc(100vw-1rem)] max-w-xl flex-col overflow-hidden rounded-lg bg-raised shadow-pop"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            value={text}
            onValueChange={setText}
            autoHighlight="always"
            keepHighlight
            filter={null}
            itemToStringValue={({ label }: Item) => label}
          >
            <div className="flex items-center gap-2 border-b border-line px-3">
              <Icon name="search" className="text-muted" />
              <Autocomplete.Input
                aria-label={words.shell.search}
                placeholder={words.shell.palettePlaceholder}
                className="h-11 w-full bg-transparent outline-none"
              />
            </div>
            <Autocomplete.Empty className="p-4 text-muted empty:hidden">{words.shell.paletteEmpty}</Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 overflow-y-auto p-1 empty:hidden">
              {(group: Group) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: Item) => (
                      <Autocomplete.Item
                        key={item.value}
                        value={item}
                        aria-disabled={item.reason === undefined ? undefined : true}
                        className="flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2 py-1 select-none aria-disabled:text-muted data-highlighted:bg-hover"
                        onClick={() => {
                          if (item.reason === undefined) item.run();
                        }}
                      >
                        <Icon name={item.icon} className="text-muted" />
                        {item.reason === undefined ? (
                          <>
                            <span className="max-w-[70%] shrink-0 truncate">{item.label}</span>
                            <span className="ms-auto min-w-0 truncate font-mono text-sm text-muted">{item.hint}</span>
                          </>
                        ) : (
                          <span className="min-w-0">
                            {item.label}
                            <span lang="en" className="block text-sm">
                              {item.reason}
                            </span>
                          </span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            {isPart && (
              <p className="border-t border-line px-3 py-2 text-sm text-muted">
                {words.shell.palettePart(number(limits.palettePage))}
              </p>
            )}
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useGroups(onClose: () => void, text: string): { readonly groups: readonly Group[]; readonly isPart: boolean } {
  const place = usePlace();
  const rights = useRights(place.organization);
  const navigate = useNavigate();
  const { session } = useServices();
  const { resources, isPart } = usePaletteResources(place, text);
  const { pathname } = useLocation();
  const command = pageCommand(pathname, usePlaceNames(place));
  const [copied, copy] = useCopy();
  const go = (to: string, filter?: string) => () => {
    onClose();
    void navigate({ to, search: filter === undefined ? {} : { q: filter } });
  };
  const pages = groupsFor(place, rights).flatMap(({ title, entries }) =>
    entries.map((entry) => item(entry.path, entry.title, title, entry.icon, go(entry.path))),
  );
  const actions = useOffers().map(({ about, verbs }) => ({
    value: words.shell.actionsOn(about),
    items: search(verbItems(about, verbs, onClose), text, shown),
  }));
  const undo = useUndo();
  const theme = (value: 'system' | 'light' | 'dark') =>
    item(`theme-${value}`, `${words.shell.theme}: ${words.shell.themes[value]}`, '', 'settings', () => {
      prefer({ theme: value });
      onClose();
    });
  const commands = [
    ...(undo?.state === 'offered'
      ? [
          item('undo', words.parts.undo, undo.done, 'restart', () => {
            onClose();
            void runUndo();
          }),
        ]
      : []),
    ...(command === undefined
      ? []
      : [
          item(
            'copy-command',
            copied ? words.parts.copied : words.shell.copyCommand,
            command,
            'terminal',
            () => {
              copy(command);
            },
            words.shell.copyCommand,
          ),
        ]),
    item('/settings', words.shell.settings, '', 'settings', go('/settings')),
    theme('light'),
    theme('dark'),
    theme('system'),
    item('log-out', words.shell.logOut, '', 'login', () => {
      session.logOut();
    }),
  ];
  const pasted = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text.trim())
    ? [item('pasted', words.parts.goTo(text.trim()), '', 'search', go(`/i/${text.trim()}`), text)]
    : [];
  const matching = search(resources, text, shown).map(({ id, name, icon, page, filter, hint }) =>
    item(id, name, hint, icon, go(page, filter)),
  );
  const groups = [
    ...actions,
    {
      value: words.shell.resources,
      items: matching.length === 0 ? pasted : matching,
    },
    { value: words.shell.pages, items: search(pages, text, shown) },
    { value: words.shell.commands, items: search(commands, text, shown) },
  ];
  return { groups: groups.filter(({ items }) => items.length > 0), isPart };
}

/** What can be done now comes first. */
function verbItems(about: string, verbs: readonly Verb[], onClose: () => void): readonly Item[] {
  return verbs
    .toSorted((one, other) => Number(one.reason !== undefined) - Number(other.reason !== undefined))
    .map(({ key, title, icon, reason, run }) => ({
      ...item(`${about} ${key}`, title, '', icon, () => {
        onClose();
        run();
      }),
      reason,
    }));
}

function item(value: string, label: string, hint: string, icon: IconName, run: () => void, more = ''): Item {
  return { value, label, hint, icon, run, keys: keysOf(label, hint, more) };
}
