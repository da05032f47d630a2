import { machine, table, type Figure, type Suite } from './report.ts';
import { suites } from './suites.ts';

/** `npm run bench [-- name…]`: progress on stderr, a table and then one line of JSON on stdout. */
const wanted = process.argv.slice(2);
const chosen: readonly Suite[] = wanted.length === 0 ? suites : suites.filter((suite) => wanted.includes(suite.name));
if (chosen.length === 0) {
  console.error(`no such suite: ${wanted.join(', ')}; there are ${suites.map((suite) => suite.name).join(', ')}`);
  process.exit(2);
}

// The world's timers keep no process alive, and a memory store has nothing else that would.
const alive = setInterval(() => undefined, 60_000);
const figures: (Figure & { suite: string })[] = [];
for (const suite of chosen) {
  const measured = await suite.run((text) => {
    console.error(`${suite.name}: ${text}`);
  });
  figures.push(...measured.map((figure) => ({ suite: suite.name, ...figure })));
}
clearInterval(alive);
console.log(Object.entries(machine()).map(([key, value]) => `${key}: ${value}`).join(', '));
console.log(table(figures));
console.log(JSON.stringify({ machine: machine(), figures }));
