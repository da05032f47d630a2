import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

const who = 'mail address, or name or id of a service account';

export function registerGlobalRole(program: Command, terminal: Terminal): Command {
  const command = program
    .command('globalrole')
    .alias('globalroles')
    .description('roles over the whole platform: who has them, grant, revoke');
  withExamples(command, 'unikorn globalrole list', 'unikorn globalrole grant eve@example.com platform-administrator');
  const list = command.command('list', { isDefault: true }).description('list who has roles over the whole platform');
  withExamples(list, 'unikorn globalrole list').action(async () => {
    const { listGlobalRoles } = await import('../access/global-roles.ts');
    await listGlobalRoles(list.optsWithGlobals<GlobalOptions>(), terminal);
  });
  const grant = command
    .command('grant')
    .description('give somebody roles over the whole platform, in place of those granted before')
    .argument('<who>', who)
    .argument('<roles...>', 'platform-administrator or platform-reader');
  withExamples(
    grant,
    'unikorn globalrole grant eve@example.com platform-reader',
    'unikorn globalrole grant monitoring platform-reader --organization platform',
  ).action(async (subject: string, roles: readonly string[]) => {
    const { grantGlobalRoles } = await import('../access/global-roles.ts');
    await grantGlobalRoles(subject, roles, grant.optsWithGlobals<GlobalOptions>(), terminal);
  });
  const revoke = command
    .command('revoke')
    .description('take the granted roles over the whole platform from somebody')
    .argument('<who>', who);
  withExamples(revoke, 'unikorn globalrole revoke eve@example.com').action(async (subject: string) => {
    const { revokeGlobalRoles } = await import('../access/global-roles.ts');
    await revokeGlobalRoles(subject, revoke.optsWithGlobals<GlobalOptions>(), terminal);
  });
  return command;
}
