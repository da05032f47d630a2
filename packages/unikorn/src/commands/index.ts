import { registerBackup } from './backup.ts';
import { registerConfig } from './config.ts';
import { registerPassword } from './password.ts';
import { registerRestore } from './restore.ts';
import { registerServe } from './serve.ts';

/** What runs a control plane. Each command imports what it needs when it is run: help and mistakes should not wait for all of it to load. */
export const operations = [registerServe, registerConfig, registerPassword, registerBackup, registerRestore];
