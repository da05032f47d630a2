import picocolors from 'picocolors';

import { dataOf, type InstanceExplanation } from '@unikorn/sdk';

import { instance } from '../nouns/instance.ts';
import { coloursFor } from '../output/colours.ts';
import { nameLookup } from '../output/names.ts';
import { handleOf } from '../resources.ts';
import type { Session } from '../session.ts';
import type { Diagnosis } from '../verbs/verb.ts';
import { at, found, type InstanceCall } from './found.ts';
import { printDocument } from './print.ts';
import { namesFor } from './references.ts';
import { regionsIn, renderBlocker, renderExplanation } from './render-explanation.ts';

export async function explainVerb(call: InstanceCall, name: string): Promise<void> {
  const { terminal } = call;
  const { session, printing, current } = await found(call, name);
  const explanation = await explanationOf(session, current.metadata.id);
  await printDocument(printing, explanation, async () => {
    const nameOf = await namesFor(regionsIn(explanation), current, printing.names);
    return renderExplanation(current.metadata.name, explanation, {
      nameOf,
      now: terminal.now(),
      colours: coloursFor(terminal.stdout, terminal.env),
    });
  });
}

/** What most deeply stands in the way of an instance, and where there is more about it. */
export const diagnoseInstance: Diagnosis = async (session, { metadata, ...rest }, terminal) => {
  const explanation = await explanationOf(session, metadata.id);
  const nameOf = await namesFor(regionsIn(explanation), { metadata, ...rest }, nameLookup(session));
  const blocker = renderBlocker(explanation, { nameOf, now: terminal.now(), colours: picocolors.createColors(false) });
  return [
    ...blocker.split('\n').filter((line) => line !== ''),
    `see more: unikorn instance explain ${handleOf(instance, { metadata })}`,
  ];
};

function explanationOf({ unikorn }: Session, id: string): Promise<InstanceExplanation> {
  return dataOf(unikorn.compute.GET('/api/v2/instances/{instanceID}/explain', at(id)));
}
