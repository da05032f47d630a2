import type { Unikorn } from '@unikorn/sdk';

import type { Scope } from './nouns/noun.ts';

/** Who is asking, where, and about what, as flags, environment and the context in use say together. */
export interface Session {
  readonly unikorn: Unikorn;
  /** The id of what commands are about unless they say otherwise. Fails with a sentence that says how to choose one. */
  idOf(scope: Scope): Promise<string>;
  /** The same where it may be left open, such as for lists. */
  optionalIdOf(scope: Scope): Promise<string | undefined>;
}
