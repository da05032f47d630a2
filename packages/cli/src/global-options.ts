import { Option, type Command } from 'commander';

import { outputFormats, type OutputFormat } from './output/format.ts';

/** The options of every user command. Environment and context provide the defaults, see `openSession`. */
export interface GlobalOptions {
  readonly context?: string;
  readonly url?: string;
  readonly organization?: string;
  readonly project?: string;
  readonly allProjects?: boolean;
  readonly region?: string;
  readonly output?: OutputFormat;
  readonly debug?: boolean;
  readonly quiet?: boolean;
  readonly input?: boolean;
  readonly color?: boolean;
}

export function addGlobalOptions(program: Command): void {
  program
    .addOption(new Option('-o, --output <format>', 'output format').choices(outputFormats))
    .option('--context <name>', 'context to use instead of the current one (UNIKORN_CONTEXT)')
    .option('--url <url>', 'address of the control plane (UNIKORN_URL)')
    .option('--organization <name or id>', 'organization to use (UNIKORN_ORGANIZATION)')
    .option('--project <name or id>', 'project to use (UNIKORN_PROJECT)')
    .addOption(new Option('--all-projects', 'resources of all projects').conflicts('project'))
    .option('--region <name or id>', 'region to use (UNIKORN_REGION)')
    .option('-q, --quiet', 'print only results, questions and errors; no progress and no notices')
    .option('--no-input', 'never ask; fail if an answer is needed')
    .option('--no-color', 'no colors (NO_COLOR)')
    .option('--debug', 'show the request, the trace id and the stack of errors');
}
