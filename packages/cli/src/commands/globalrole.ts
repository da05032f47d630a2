import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';
import { yesOption, type YesOption } from '../yes-option.ts';

const who = 'mail address, or name or id of a service account';

export function registerGlobalRole(program: Command, terminal: Terminal): Command {
  const command = program
    .command('globalrole')
    .alias('globalroles')
    .description('platform-wide roles: list, grant, revoke');
  withExamples(command, 'unikorn globalrole list', 'unikorn globalrole grant eve@example.com platform-administrator');
  const list = command
    .command('list', { isDefault: true })
    .description('list the users and service accounts that have platform-wide roles');
  withExamples(list, 'unikorn globalrole list').action(async () => {
    const { listGlobalRoles } = await import('../access/global-roles.ts');
    await listGlobalRoles(list.optsWithGlobals<GlobalOptions>(), terminal);
  });
  const grant = command
    .command('grant')
    .description('grant platform-wide roles to a user or service account; they replace the roles granted before')
    .argument('<who>', who)
    .argument('<roles...>', 'platform-administrator or platform-reader')
    .option(...yesOption);
  withExamples(
    grant,
    'unikorn globalrole grant eve@example.com platform-reader',
    'unikorn globalrole grant monitoring platform-reader --organization platform',
  ).action(async (subject: string, roles: readonly string[]) => {
    const { grantGlobalRoles } = await import('../access/global-roles.ts');
    await grantGlobalRoles(subject, roles, grant.optsWithGlobals<GlobalOptions & YesOption>(), terminal);
  });
  const revoke = command
    .command('revoke')
    .description('revoke the granted platform-wide roles of a user or service account')
    .argument('<who>', who)
    .option(...yesOption);
  withExamples(revoke, 'unikorn globalrole revoke eve@example.com').action(async (subject: string) => {
    const { revokeGlobalRoles } = await import('../access/global-roles.ts');
    await revokeGlobalRoles(subject, revoke.optsWithGlobals<GlobalOptions & YesOption>(), terminal);
  });
  return command;
}
