import { Option, type Command } from 'commander';

import { outputFormats, type OutputFormat } from './output/format.ts';

/** What every command of users understands. The environment and the context in use stand behind them, see `openSession`. */
export interface GlobalOptions {
  readonly context?: string;
  readonly url?: string;
  readonly organization?: string;
  readonly project?: string;
  readonly allProjects?: boolean;
  readonly region?: string;
  readonly output?: OutputFormat;
  readonly debug?: boolean;
}

export function addGlobalOptions(program: Command): void {
  program
    .addOption(new Option('-o, --output <format>', 'how resources are printed').choices(outputFormats))
    .option('--context <name>', 'context to use in place of the current one (UNIKORN_CONTEXT)')
    .option('--url <url>', 'address of the control plane (UNIKORN_URL)')
    .option('--organization <name or id>', 'organization it is about (UNIKORN_ORGANIZATION)')
    .option('--project <name or id>', 'project it is about (UNIKORN_PROJECT)')
    .addOption(new Option('--all-projects', 'whatever the project').conflicts('project'))
    .option('--region <name or id>', 'region it is about (UNIKORN_REGION)')
    .option('--debug', 'with errors, show the request, its trace and where they come from');
}
