import { Option, type Command } from 'commander';

import { withExamples } from '../examples.ts';
import { repeated } from '../fields.ts';
import type { GlobalOptions } from '../global-options.ts';
import { region } from '../nouns/region.ts';
import type { Terminal } from '../terminal.ts';
import type { CreateRegionOptions } from '../verbs/create-region.ts';
import type { DriftOptions } from '../verbs/drift.ts';
import type { SimulationOptions } from '../verbs/simulation.ts';
import { yesOption } from '../yes-option.ts';
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
  registerSimulation(command, terminal);
  registerDrift(command, terminal);
}

function registerSimulation(command: Command, terminal: Terminal): void {
  const verb = command
    .command('simulation')
    .argument('<name or id>', 'which region')
    .description('show the settings of a simulated region, its speed and its faults, and change them')
    .option('--set <name=value>', 'change a setting, such as call_ms=200 or errorRate=0.1; may be repeated', repeated)
    .addOption(new Option('--down', 'let every call to the cloud fail').conflicts('up'))
    .option('--up', 'let calls to the cloud succeed again')
    .option('--reset', 'end all faults, and set the speed of a new region; capacities stay unchanged')
    .option(...yesOption);
  withExamples(
    verb,
    'unikorn region simulation west',
    'unikorn region simulation west --set call_ms=200 --set errorRate=0.1',
    'unikorn region simulation west --set places.sim-gpu-8=2',
    'unikorn region simulation west --down',
    'unikorn region simulation west --reset',
  );
  verb.action(async (name: string) => {
    const { simulationVerb } = await import('../verbs/simulation.ts');
    await simulationVerb({ terminal, noun: region, options: verb.optsWithGlobals<SimulationOptions>() }, name);
  });
}

function registerDrift(command: Command, terminal: Terminal): void {
  const verb = command
    .command('drift')
    .argument('<name or id>', 'which region')
    .argument('<instance>', 'whose machine, by name or id')
    .description('change the machine of an instance in a simulated region, without the control plane')
    .addOption(
      new Option('--as <state>', 'what happens to the machine')
        .choices(['stopped', 'failed', 'deleted'])
        .makeOptionMandatory(),
    )
    .option(...yesOption);
  withExamples(
    verb,
    'unikorn region drift west web-1 --as stopped',
    'unikorn region drift west web-1 --as deleted --project website',
  );
  verb.action(async (name: string, instance: string) => {
    const { driftVerb } = await import('../verbs/drift.ts');
    await driftVerb({ terminal, noun: region, options: verb.optsWithGlobals<DriftOptions>() }, name, instance);
  });
}
