import { dataOf } from '@unikorn/sdk';

import type { GlobalOptions } from '../global-options.ts';
import { image } from '../nouns/image.ts';
import { printOne } from '../output/print.ts';
import { printOutcome } from '../verbs/verb.ts';
import type { WaitOptions } from '../wait/options.ts';
import { tagOf } from '../writing.ts';
import { at, found, type InstanceCall } from './found.ts';

export type SnapshotOptions = GlobalOptions &
  WaitOptions & { readonly imageName: string; readonly description?: string; readonly tag?: readonly string[] };

/** Creates an image from the disk of an instance, and prints its id. */
export async function snapshotVerb(call: InstanceCall<SnapshotOptions>, name: string): Promise<void> {
  const { terminal, options } = call;
  const { session, printing, current } = await found(call, name);
  const metadata = {
    name: options.imageName,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.tag === undefined ? {} : { tags: options.tag.map(tagOf) }),
  };
  const made = await dataOf(
    session.unikorn.compute.POST('/api/v2/instances/{instanceID}/snapshot', {
      ...at(current.metadata.id),
      body: { metadata },
    }),
  );
  terminal.stderr.write(
    `image ${made.metadata.name} is being created from the disk of instance ${current.metadata.name}\n`,
  );
  await printOutcome({ terminal, noun: image, options }, session, made, async (outcome) => {
    if (options.output === undefined) terminal.stdout.write(`${outcome.metadata.id}\n`);
    else await printOne(image, outcome, printing);
  });
}
