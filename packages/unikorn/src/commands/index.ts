import { registerBackup } from './backup.ts';
import { registerConfig } from './config.ts';
import { registerMigrate } from './migrate.ts';
import { registerPassword } from './password.ts';
import { registerRekey } from './rekey.ts';
import { registerRestore } from './restore.ts';
import { registerServe } from './serve.ts';

/**
 * The commands that run a control plane. Each command imports its modules when it runs, so that help and usage errors
 * are fast.
 */
export const operations = [
  registerServe,
  registerConfig,
  registerPassword,
  registerBackup,
  registerRestore,
  registerMigrate,
  registerRekey,
];
