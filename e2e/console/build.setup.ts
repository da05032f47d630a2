import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds the pages once, so that no product of a test has to. */
export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../packages/console/src/build/main.ts')], {
    stdio: 'inherit',
  });
}
