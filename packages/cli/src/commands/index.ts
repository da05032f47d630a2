import type { Command } from 'commander';

import type { InspectState } from '../doctor/examine.ts';
import { registerFiles } from '../files/register.ts';
import type { Terminal } from '../terminal.ts';
import { registerCanI, registerPasswd, registerWhoAmI } from './access.ts';
import { registerActivity } from './activity.ts';
import { registerCompletion } from './completion.ts';
import { registerContext } from './context.ts';
import { registerDoctor } from './doctor.ts';
import { registerGlobalRole } from './globalrole.ts';
import { registerLogin } from './login.ts';
import { registerLogout } from './logout.ts';
import { registerOperators } from './operators.ts';
import { registerQuota } from './quota.ts';
import { registerStatus } from './status.ts';

/** All commands that do not belong to a noun, in the order of help. */
export function registerOthers(program: Command, terminal: Terminal, inspectState: InspectState | undefined): void {
  registerQuota(program, terminal);
  registerGlobalRole(program, terminal);
  registerActivity(program, terminal);
  program.commandsGroup('The platform, for its operators:');
  registerOperators(program, terminal);
  program.commandsGroup('Files of resources:');
  registerFiles(program, terminal);
  program.commandsGroup('Where and who:');
  for (const registerCommand of [
    registerLogin,
    registerLogout,
    registerPasswd,
    registerWhoAmI,
    registerCanI,
    registerContext,
    registerStatus,
    registerCompletion,
  ])
    registerCommand(program, terminal);
  registerDoctor(program, terminal, inspectState);
}
