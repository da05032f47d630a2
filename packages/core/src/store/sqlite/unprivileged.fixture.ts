/**
 * Opens a state as a user without write permission. Root may write everything, so the process changes its user first.
 */
import { isProblem } from '../../errors/index.ts';
import { silentTelemetry } from '../../testing/index.ts';
import { systemWorld } from '../../world/index.ts';
import { kinds } from '../conformance/kinds.ts';
import { openSqliteStore } from './open.ts';

if (process.getuid?.() === 0) {
  process.setgid?.(65534);
  process.setuid?.(65534);
}
const outcome = await openSqliteStore({
  path: process.argv[2] ?? '',
  world: systemWorld,
  telemetry: silentTelemetry(),
  kinds,
}).then(
  () => 'opened',
  (error: unknown) => (isProblem(error) ? `${error.code}: ${error.message}` : String(error)),
);
process.stdout.write(outcome, () => process.exit());
