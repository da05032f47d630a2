import type { Command } from 'commander';

type Register = (program: Command) => void;

/**
 * The commands that run a control plane, by name. Each is loaded when it runs, and imports its modules then, so that
 * help, usage errors and the commands of users are fast.
 */
export const operations: Readonly<Record<string, () => Promise<Register>>> = {
  serve: async () => (await import('./serve.ts')).registerServe,
  config: async () => (await import('./config.ts')).registerConfig,
  password: async () => (await import('./password.ts')).registerPassword,
  backup: async () => (await import('./backup.ts')).registerBackup,
  restore: async () => (await import('./restore.ts')).registerRestore,
  migrate: async () => (await import('./migrate.ts')).registerMigrate,
  rekey: async () => (await import('./rekey.ts')).registerRekey,
};

export function allOperations(): Promise<readonly Register[]> {
  return Promise.all(Object.values(operations).map((load) => load()));
}
