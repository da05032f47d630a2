import type { Command } from 'commander';

import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import { region } from '../nouns/region.ts';
import type { Terminal } from '../terminal.ts';
import type { CreateRegionOptions } from '../verbs/create-region.ts';
import { registerNoun } from './crud.ts';

/** How a region reaches its cloud. */
export interface CloudConnection {
  /** Part of the region. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The credentials by key. They must not be part of the region, and not be printed. */
  readonly secret: Readonly<Record<string, string>>;
}

/** Reads a `clouds.yaml`. */
export type ReadClouds = (
  text: string,
  options: { readonly cloud?: string | undefined; readonly readAuthority?: (path: string) => Promise<string> },
) => Promise<CloudConnection>;

export function registerRegion(program: Command, terminal: Terminal, readClouds: ReadClouds | undefined): void {
  const command = registerNoun(program, terminal, region);
  const create = command.commands.find((verb) => verb.name() === 'create');
  create
    ?.option('--clouds-yaml <file>', 'take the connection to an OpenStack cloud from this clouds.yaml')
    .option('--cloud <text>', 'which cloud of the clouds.yaml, if it has several')
    .action(async (name: string) => {
      const { createRegionVerb } = await import('../verbs/create-region.ts');
      const options = create.optsWithGlobals<CreateRegionOptions>();
      await createRegionVerb({ terminal, noun: region, options }, name, readClouds);
    });
  const check = command
    .command('check')
    .argument('<name or id>', 'which region')
    .description('try everything that a region needs from its OpenStack cloud, and show how to grant what is missing');
  withExamples(check, 'unikorn region check west', 'unikorn region check west -o json');
  check.action(async (name: string) => {
    const { checkRegionVerb } = await import('../verbs/check-region.ts');
    await checkRegionVerb({ terminal, noun: region, options: check.optsWithGlobals<GlobalOptions>() }, name);
  });
}
