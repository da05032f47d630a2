import { useNavigate } from '@tanstack/react-router';

import { IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx';
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
      <div className="px-2 py-1.5">
        <p className="text-sm text-muted">{words.shell.loggedInAs}</p>
        <p className="font-medium">{state.state === 'out' ? '' : state.subject}</p>
      </div>
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
    </Menu>
  );
}
