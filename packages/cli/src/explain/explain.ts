import picocolors from 'picocolors';

import type { Explanation } from '@unikorn/sdk';

import { explanationIn } from '../documents.ts';
import { find } from '../finding.ts';
import { printDocument } from '../instance/print.ts';
import { namesFor } from '../instance/references.ts';
import type { Noun } from '../nouns/noun.ts';
import { coloursFor } from '../output/colours.ts';
import { nameLookup } from '../output/names.ts';
import { beside, explain, handleOf, nameOf as nameIn } from '../resources.ts';
import type { Session } from '../session.ts';
import { opened, type Call, type Diagnosis } from '../verbs/verb.ts';
import { regionsIn, renderBlocker, renderExplanation } from './render.ts';

export async function explainVerb(call: Call, name: string): Promise<void> {
  const { terminal, noun } = call;
  const { session, printing } = await opened(call);
  const object = await find(session, noun, name);
  const explanation = await explanationOf(beside(session, object), noun, object.metadata.id);
  await printDocument(printing, explanation, async () => {
    const nameOf = await namesFor(regionsIn(explanation), object, printing.names);
    return renderExplanation(nameIn(noun, object), explanation, {
      noun,
      nameOf,
      now: terminal.now(),
      colours: coloursFor(terminal.stdout, terminal.env),
    });
  });
}

/** The root cause of the problem of a resource, and the command that shows more. */
export function diagnosisOf(noun: Noun): Diagnosis {
  return async (session, object, terminal) => {
    const explanation = await explanationOf(beside(session, object), noun, object.metadata.id);
    const nameOf = await namesFor(regionsIn(explanation), object, nameLookup(session));
    const colours = picocolors.createColors(false);
    const blocker = renderBlocker(explanation, { noun, nameOf, now: terminal.now(), colours });
    return [
      ...blocker.split('\n').filter((line) => line !== ''),
      `see more: unikorn ${noun.name} explain ${handleOf(noun, object)}`,
    ];
  };
}

async function explanationOf(session: Session, noun: Noun, id: string): Promise<Explanation> {
  return explanationIn(await explain(session, noun, id));
}
