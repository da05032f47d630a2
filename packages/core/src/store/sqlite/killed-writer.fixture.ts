/** A process that writes until it is killed, and prints each acknowledged write before it continues. */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';

import { silentTelemetry } from '../../testing/index.ts';
import { systemWorld } from '../../world/index.ts';
import { Gadget, gadget, kinds, ownedBy, team, Widget, widget } from '../conformance/kinds.ts';
import { openSqliteStore } from './open.ts';

const [path = '', round = ''] = process.argv.slice(2);
const writers = 24;

const store = await openSqliteStore({
  path,
  world: systemWorld,
  telemetry: silentTelemetry(),
  kinds,
  history: { changes: 500 },
});

function acknowledge(name: string, size: number | 'gone'): void {
  say(`${name} ${size}\n`);
}

/** The reader may be slow, and then the output is full for a moment. */
function say(line: string): void {
  while (true) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

async function write(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `r${round}-w${writer}-${count}`;
    const created = await store.create(Widget, widget(name, { labels: { [team]: `t${writer}` } }, count));
    acknowledge(name, count);
    await store.create(Gadget, gadget(name, { ownerReferences: [ownedBy(created)] }));
    const updated = await store.update(Widget, {
      ...created,
      metadata: { ...created.metadata, labels: { [team]: 'moved' } },
      spec: { size: count + 1 },
    });
    acknowledge(name, updated.spec.size);
    if (count % 2 === 1) continue;
    await store.delete(Widget, name);
    acknowledge(name, 'gone');
  }
}

// A killed process leaves no compile cache unless it is flushed in time.
flushCompileCache();
say('ready\n');
await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
