import { readFile } from 'node:fs/promises';

import { runAsLeader } from '@unikorn/core/controller';
import { modify } from '@unikorn/core/store';
import { Widget, widget } from '@unikorn/core/store/conformance/kinds';
import { kubeconfigAccess, openKubernetesStore } from '@unikorn/core/store/kubernetes';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld as world } from '@unikorn/core/world';

/** One of several processes that share a store: `write` changes objects, `lead` waits for a lease and holds it. */
const [, , task = '', kubeconfig = '', namespace = '', name = ''] = process.argv;
const access = await kubeconfigAccess(await readFile(kubeconfig, 'utf8'));
const telemetry = silentTelemetry();
const store = await openKubernetesStore({ world, telemetry, access, namespace });

if (task === 'write') {
  for (let count = 0; count < 25; count++) {
    await modify(store, Widget, 'counter', (current) => ({ ...current, spec: { size: current.spec.size + 1 } }));
    await store.create(Widget, widget(`${name}-${count}`));
  }
  await store.close();
} else {
  const stop = new AbortController();
  process.on('SIGTERM', () => {
    stop.abort();
  });
  const { port1 } = new MessageChannel();
  port1.ref();
  await runAsLeader(
    { store, world, telemetry, name: 'shared-work', processName: name },
    stop.signal,
    (leading) =>
      new Promise((resolve) => {
        process.stdout.write('leading\n');
        leading.addEventListener('abort', () => {
          resolve();
        });
      }),
  );
  await store.close();
  port1.close();
}
