import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { isProblem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';
import type { World } from '@unikorn/core/world';

import { acceptanceOf, membershipIdOf, OrganizationUser, userIdOf, type Acceptance } from '../../kinds/index.ts';
import { limits, waits } from '../../limits.ts';
import type { Invitation, Realm } from '../realm.ts';
import type { Sealer } from '../sealing.ts';

const Sealed = Type.Object({
  /** The login that it belongs to. */
  uid: Type.String(),
  subject: Type.String(),
  method: Type.Union([Type.Literal('pwd'), Type.Literal('fed')]),
  /** In milliseconds since the epoch. */
  until: Type.Integer(),
});
const sealedForm = Compile(Sealed);

/** A user in the middle of a login, after authentication. */
export type Continuation = Readonly<Omit<Static<typeof Sealed>, 'until'>>;

export interface ConsentOptions {
  readonly store: Store;
  readonly world: World;
  readonly sealer: Sealer;
  readonly realm: Realm;
}

/** The decisions of users about their memberships. */
export class Consent {
  readonly #options: ConsentOptions;

  constructor(options: ConsentOptions) {
    this.#options = options;
  }

  /** The memberships that the user has to decide about. */
  async invitations(subject: string): Promise<readonly Invitation[]> {
    return (await this.#options.realm.invitationsOf(subject)).slice(0, limits.shownInvitations);
  }

  /** A sealed value that the page returns with the answer, so that the user does not have to log in again. */
  seal(continuation: Continuation): string {
    return this.#options.sealer.seal(
      'login-continuations',
      JSON.stringify({ ...continuation, until: this.#options.world.now() + waits.loginContinuation_ms }),
      continuation.uid,
    );
  }

  /** Undefined if it belongs to another login, or is too old. */
  async open(uid: string, sealed: string): Promise<Continuation | undefined> {
    const text = await this.#options.sealer.open('login-continuations', sealed);
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return sealedForm.Check(value) && value.uid === uid && this.#options.world.now() < value.until ? value : undefined;
  }

  async decide(subject: string, membershipId: string, decision: 'accepted' | 'declined'): Promise<void> {
    await this.#change(subject, membershipId, ['open', 'vouched'], decision);
  }

  /** The organization itself has let the user in, which is valid only there. */
  async vouch(subject: string, organizationId: string): Promise<void> {
    await this.#change(subject, membershipIdOf(organizationId, userIdOf(subject)), ['open'], 'vouched');
  }

  /** Only for the user's own memberships, and only undecided ones. */
  async #change(subject: string, membershipId: string, from: readonly Acceptance[], to: Acceptance): Promise<void> {
    const { store } = this.#options;
    const membership = await store.get(OrganizationUser, membershipId);
    if (membership?.metadata.labels?.[labels.user] !== userIdOf(subject) || !from.includes(acceptanceOf(membership)))
      return;
    try {
      await modify(store, OrganizationUser, membershipId, (current) => ({
        ...current,
        spec: {
          ...current.spec,
          acceptance: to,
          ...(to === 'accepted' && current.spec.state === 'pending' ? { state: 'active' as const } : {}),
        },
      }));
    } catch (error) {
      // The membership was removed in the meantime, so the question no longer applies.
      if (!isProblem(error, 'not_found')) throw error;
    }
  }
}
