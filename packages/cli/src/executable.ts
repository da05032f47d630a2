import type { Terminal } from './terminal.ts';

/** A checkout runs its sources. An installed package contains JavaScript. */
export function isCheckout(file: string = import.meta.filename): boolean {
  return file.endsWith('.ts');
}

/** How the user starts this program: `./unikorn` in a checkout tells it, and npm sets a variable for `npx unikorn`. */
export function executableOf(env: Terminal['env']): string {
  const { UNIKORN_CALLED_AS: called } = env;
  if (called !== undefined) return called;
  return env['npm_command'] === 'exec' || env['npm_lifecycle_event'] === 'npx' ? 'npx unikorn' : 'unikorn';
}

/** How a user starts this program in another terminal than that of a server. */
export function executableBeside(env: Terminal['env'], file?: string): string {
  const executable = executableOf(env);
  return executable === 'unikorn' && isCheckout(file) ? 'npx unikorn' : executable;
}

/** How a user starts a server. */
export function startCommand(file?: string): string {
  return isCheckout(file) ? 'npm start' : 'unikorn serve';
}
