import type { GlobalOptions } from '../global-options.ts';
import { coloursFor } from '../output/colours.ts';
import { documentText } from '../output/print.ts';
import { demandComplete } from '../services.ts';
import { openSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { renderStatus } from './render.ts';
import { statusFor } from './status.ts';

export async function showStatus(options: GlobalOptions, terminal: Terminal): Promise<void> {
  const status = await statusFor(await openSession(terminal, options));
  const { stdout, env } = terminal;
  stdout.write(
    options.output === 'json' || options.output === 'yaml'
      ? await documentText(options.output, status)
      : renderStatus(status, { colours: coloursFor(stdout, env), now: terminal.now() }),
  );
  demandComplete(status, 'answers');
}
