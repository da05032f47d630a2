import { authorOf, type Caller } from '@unikorn/core/access';
import { isProblem, Problem } from '@unikorn/core/errors';
import { newMetadata } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { normaliseSubject, User, userIdOf } from '../../kinds/index.ts';

/** The name that the original gives to users without a name. The subject identifies the user. */
export const unnamed = { name: 'undefined' };

/** The format that browsers accept in an input field for mail addresses. */
const mailAddress =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Refuses a text that is not a mail address, and returns its canonical spelling. */
export function parseSubject(text: string): string {
  const subject = normaliseSubject(text);
  if (subject.length > 254 || !mailAddress.test(subject))
    throw new Problem('invalid_request', 'spec.subject: must be a mail address');
  return subject;
}

/**
 * The user record of a subject. It is kept if the rest of a create fails: it grants nothing on its own, and concurrent
 * requests may already use it.
 */
export async function ensurePerson(store: Store, subject: string, caller: Caller): Promise<User> {
  const id = userIdOf(subject);
  const known = await store.get(User, id);
  if (known) return known;
  try {
    return await store.create(User, {
      metadata: newMetadata(id, unnamed, {}, authorOf(caller)),
      spec: { subject, state: 'active' },
    });
  } catch (error) {
    const made = isProblem(error, 'conflict') ? await store.get(User, id) : undefined;
    if (!made) throw error;
    return made;
  }
}
