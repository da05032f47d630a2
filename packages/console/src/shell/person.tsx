import { useNavigate } from '@tanstack/react-router';

import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuGroup, MenuItem, MenuLine } from '../parts/menu.tsx';
import { useServices, useSession } from '../session/context.tsx';
import { words } from '../words/index.ts';

export function PersonMenu() {
  const { session } = useServices();
  const state = useSession();
  const navigate = useNavigate();
  return (
    <Menu
      trigger={
        <IconButton label={words.shell.person}>
          <Icon name="people" />
        </IconButton>
      }
    >
      <MenuGroup
        title={
          <>
            <span className="block text-sm text-muted">{words.shell.loggedInAs}</span>
            <span className="block font-medium text-text">{state.state === 'out' ? '' : state.subject}</span>
          </>
        }
      >
        <MenuLine />
        <MenuItem icon="settings" onSelect={() => void navigate({ to: '/settings' })}>
          {words.shell.settings}
        </MenuItem>
        <MenuItem
          icon="login"
          onSelect={() => {
            session.logOut();
          }}
        >
          {words.shell.logOut}
        </MenuItem>
      </MenuGroup>
    </Menu>
  );
}
