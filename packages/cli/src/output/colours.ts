import picocolors from 'picocolors';

import type { Output, Terminal } from '../terminal.ts';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** Colours if the stream supports them; otherwise functions that return the text unchanged. */
export function coloursFor(output: Output, env: Terminal['env']): Colours {
  if (env['NO_COLOR']) return picocolors.createColors(false);
  const isCapable = output.isTTY === true && env['TERM'] !== 'dumb';
  return picocolors.createColors(isCapable || Boolean(env['FORCE_COLOR']));
}

/** The meaning of a status, for all resources. */
export function toneOf(status: string): 'good' | 'busy' | 'bad' | 'plain' {
  switch (status.toLowerCase()) {
    case 'provisioned':
    case 'healthy':
    case 'ready':
    case 'running':
    case 'active':
      return 'good';
    case 'error':
    case 'failed':
    case 'degraded':
    case 'suspended':
    case 'stuck':
      return 'bad';
    case 'pending':
    case 'provisioning':
    case 'deprovisioning':
    case 'creating':
    case 'queued':
    case 'building':
    case 'stopping':
    case 'unwinding':
      return 'busy';
    default:
      return 'plain';
  }
}

export function paintStatus(colours: Colours, status: string): string {
  switch (toneOf(status)) {
    case 'good':
      return colours.green(status);
    case 'bad':
      return colours.red(status);
    case 'busy':
      return colours.yellow(status);
    case 'plain':
      return status;
  }
}
