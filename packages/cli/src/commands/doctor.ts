import type { Command } from 'commander';

import type { InspectState } from '../doctor/examine.ts';
import { withExamples } from '../examples.ts';
import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';

export function registerDoctor(program: Command, terminal: Terminal, inspectState: InspectState | undefined): Command {
  const doctor = program
    .command('doctor')
    .description('check for problems that can make commands fail, and say how to fix them');
  return withExamples(doctor, 'unikorn doctor', 'unikorn doctor --context cloud.example.com -o json').action(
    async () => {
      const { examineAll } = await import('../doctor/action.ts');
      await examineAll(doctor.optsWithGlobals<GlobalOptions>(), terminal, inspectState);
    },
  );
}
