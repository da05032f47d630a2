import { runSuites } from './run-suites.ts';
import { minutes, smoke, wanted } from './scale.ts';
import { suites } from './suites.ts';

/**
 * `npm run bench [-- --smoke] [-- --minutes number] [-- name…]`: progress on stderr, tables and then one line of JSON
 * on stdout.
 */
const names = suites.map(({ name }) => name);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}
if (!(minutes > 0)) {
  console.error('--minutes takes a number above 0, such as --minutes 20');
  process.exit(2);
}
const chosen = suites.filter(({ name, onDemand }) => (wanted.length > 0 ? wanted.includes(name) : smoke || !onDemand));

// The world's timers do not keep the process alive, and a memory store has no other handle.
const alive = setInterval(() => undefined, 60_000);
const ok = await runSuites(chosen, { progress: console.error, print: console.log, judged: !smoke });
clearInterval(alive);
process.exitCode = ok ? 0 : 1;
