import { InvalidArgumentError, Option, type Command } from 'commander';

import { waits } from '../limits.ts';
import { parseDuration } from '../output/duration.ts';

export interface WaitOptions {
  readonly wait: boolean;
  /** How long to wait, in milliseconds. */
  readonly timeout: number;
}

export function addWaitOptions(command: Command): void {
  command
    .option('--no-wait', 'do not wait until it is done')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait, such as 90s or 1h')
        .argParser(duration)
        .default(waits.default_ms, '10m'),
    );
}

function duration(text: string): number {
  const duration_ms = parseDuration(text);
  if (duration_ms === undefined) throw new InvalidArgumentError('write a duration such as 90s, 10m or 1h30m.');
  return duration_ms;
}
