import { isProblem } from '@unikorn/core/errors';
import type { RawRoute } from '@unikorn/core/http';
import { labels, ownedBy } from '@unikorn/core/resource';
import { modify, type Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { digestOf, sameDigest } from '../../digest.ts';
import { Organization, OrganizationUser, UserInvitation } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import type { ExternalUrl } from '../external-url.ts';
import type { Realm } from '../realm.ts';
import { answering, formOf, type Answer, type Incoming } from './answer.ts';
import type { Consent } from './consent.ts';
import type { CredentialChanges } from './credentials.ts';
import { demandInvitable } from './invitable.ts';
import { alreadyKnownPage, invitationPage, problemPage, welcomePage } from './page.ts';
import type { Passwords } from './passwords.ts';

const path = '/oauth2/v2/invitations/{invitation}';
const secretBytes = 32;
const over =
  'this invitation has expired, was already used, or was replaced by a newer one: ask an administrator of the organization for a new one';

/** The invitation for the administrator to pass on. */
export interface IssuedInvitation {
  /** Shown only once. */
  readonly link: string;
  readonly expiry: string;
}

export interface InvitationsOptions {
  readonly store: Store;
  readonly world: World;
  readonly external: ExternalUrl;
  readonly realm: Realm;
  readonly passwords: Passwords;
  readonly credentials: CredentialChanges;
  readonly consent: Consent;
}

interface Found {
  readonly invitation: UserInvitation;
  readonly membership: OrganizationUser;
  readonly organization: Organization;
}

/**
 * Links with which users set a password; no mail is sent. An administrator passes the link on, so the organization
 * vouches for the user: the password is valid only in that organization, and only for users that it may vouch for.
 */
export class Invitations {
  readonly #options: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#options = options;
  }

  routes(): readonly RawRoute[] {
    return [
      answering('GET', path, (request) => this.#show(request)),
      answering('POST', path, (request) => this.#redeem(request)),
    ];
  }

  /** A new link, which replaces the previous one. */
  async issue(membership: OrganizationUser): Promise<IssuedInvitation> {
    const { store, world, external } = this.#options;
    demandInvitable(membership);
    const secret = Buffer.from(world.randomBytes(secretBytes)).toString('base64url');
    const expiry = timestamp(world.now() + waits.invitation_ms);
    const { name } = membership.metadata;
    const spec = { secretDigest: digestOf(secret), expiry };
    const ownerReferences = [ownedBy(membership)];
    try {
      await store.create(UserInvitation, { metadata: { name, ownerReferences }, spec });
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      await modify(store, UserInvitation, name, (current) => ({
        metadata: { ...current.metadata, ownerReferences },
        spec,
      }));
    }
    return { link: `${external.issuer}${path.replace('{invitation}', `${name}.${secret}`)}`, expiry };
  }

  async #show(request: Incoming): Promise<Answer> {
    const found = await this.#find(request);
    return found ? this.#ask(found, 200) : refused();
  }

  async #redeem(request: Incoming): Promise<Answer> {
    const { passwords, credentials, consent, realm } = this.#options;
    const found = await this.#find(request);
    if (!found) return refused();
    const { membership, organization } = found;
    if (!(await realm.mayVouch(organization.metadata.name, membership.spec.subject))) return this.#ask(found, 403);
    const form = formOf(request);
    const [password, again] = [form.get('password') ?? '', form.get('again') ?? ''];
    if (password !== again) return this.#ask(found, 400, 'the two passwords are different');
    try {
      passwords.demandGood(password);
    } catch (error) {
      if (!isProblem(error, 'invalid_request')) throw error;
      return this.#ask(found, 400, error.message);
    }
    if (!(await this.#spend(found.invitation))) return refused();
    await credentials.setFor(membership, password);
    await consent.vouch(membership.spec.subject, organization.metadata.name);
    return { status: 200, ...welcomePage(membership.spec.subject, this.#options.external.issuer) };
  }

  async #ask({ membership, organization }: Found, status: number, problem?: string): Promise<Answer> {
    const view = { organization: organization.metadata.labels?.[labels.name] ?? '', subject: membership.spec.subject };
    const mayVouch = await this.#options.realm.mayVouch(organization.metadata.name, membership.spec.subject);
    return mayVouch
      ? { status, ...invitationPage(problem === undefined ? view : { ...view, problem }) }
      : { status, ...alreadyKnownPage(view) };
  }

  /** Undefined for a link that is no longer valid. */
  async #find(request: Incoming): Promise<Found | undefined> {
    const { store, world } = this.#options;
    const [id = '', secret = ''] = (request.params['invitation'] ?? '').split('.');
    const [invitation, membership] = await Promise.all([
      store.get(UserInvitation, id),
      store.get(OrganizationUser, id),
    ]);
    const organization =
      membership && (await store.get(Organization, membership.metadata.labels?.[labels.organization] ?? ''));
    if (!invitation || !organization || membership.spec.state !== 'active') return undefined;
    const isOwn = invitation.metadata.ownerReferences?.some(({ uid }) => uid === membership.metadata.uid) ?? false;
    const isGood =
      isOwn &&
      sameDigest(invitation.spec.secretDigest, digestOf(secret)) &&
      Date.parse(invitation.spec.expiry) > world.now();
    return isGood ? { invitation, membership, organization } : undefined;
  }

  /**
   * Whether the invitation was unchanged since it was read. If two clients use a link at the same time, only one
   * succeeds.
   */
  async #spend(invitation: UserInvitation): Promise<boolean> {
    const { store, world } = this.#options;
    try {
      await store.update(UserInvitation, {
        ...invitation,
        spec: { ...invitation.spec, expiry: timestamp(world.now()) },
      });
      await store.delete(UserInvitation, invitation.metadata.name);
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict') || isProblem(error, 'not_found')) return false;
      throw error;
    }
  }
}

function refused(): Answer {
  return { status: 404, ...problemPage(over) };
}
