import { createHmac } from 'node:crypto';

import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import type { Draft } from '@unikorn/core/kinds';
import { matching, modify, type GetOptions, type Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { expiryLabel, grantLabel, OAuth2Artifact, sessionLabel, userCodeLabel } from '../kinds/oauth2.ts';
import { digestOf } from '../digest.ts';
import { limits, waits } from '../limits.ts';
import type { Sealer } from './sealing.ts';

/** The content of an artefact. Only the fields for lookups and checks are typed here. */
export interface ArtifactPayload {
  readonly accountId?: string | undefined;
  readonly grantId?: string | undefined;
  readonly uid?: string | undefined;
  /** The code that a user enters to log a device in. */
  readonly userCode?: string | undefined;
  readonly clientId?: string | undefined;
  /** The thumbprint of the certificate that it is bound to. */
  readonly 'x5t#S256'?: string | undefined;
  readonly [name: string]: unknown;
}

export function isPayload(value: unknown): value is ArtifactPayload {
  return typeof value === 'object' && value !== null;
}

/** The name of the artefact that a second id stands for. */
const secondField = 'secondIdOf';

/** The maximum number of hexadecimal digits of a digest in a label value. */
const labelDigits = 62;

function periodOf(time_ms: number): number {
  return Math.floor(time_ms / waits.artifactPeriod_ms);
}

function nameOf(model: string, id: string): string {
  return digestOf(`${model}:${id}`);
}

export interface ArtifactsOptions {
  readonly store: Store;
  readonly world: World;
  readonly sealer: Sealer;
}

/**
 * Codes, tokens, sessions, grants and pending logins, by the value that their holders present, and the counters of
 * failed logins. Expired ones are treated as absent.
 */
export class Artifacts {
  readonly #store: Store;
  readonly #world: World;
  readonly #sealer: Sealer;
  /** The first period that may still contain artefacts. */
  #sweptUntil: number | undefined;

  constructor({ store, world, sealer }: ArtifactsOptions) {
    this.#store = store;
    this.#world = world;
    this.#sealer = sealer;
  }

  /** Stores it, and replaces an artefact with the same id. */
  async save(model: string, id: string, payload: ArtifactPayload, lifetime_s: number): Promise<void> {
    const second = this.#store.sole ? undefined : this.#secondIdOf(model, payload);
    // An index of labels would find it by this id, but a shared store has none.
    if (second) await this.#put(second.model, second.id, { [secondField]: nameOf(model, id) }, lifetime_s);
    await this.#put(model, id, payload, lifetime_s);
  }

  async #put(model: string, id: string, payload: ArtifactPayload, lifetime_s: number): Promise<void> {
    const draft = this.#draft(model, id, payload, lifetime_s);
    try {
      await this.#store.create(OAuth2Artifact, draft);
    } catch (error) {
      if (!isProblem(error, 'conflict')) throw error;
      await modify(this.#store, OAuth2Artifact, draft.metadata.name, (current) => ({
        ...draft,
        metadata: { ...current.metadata, ...draft.metadata },
      }));
    }
  }

  /**
   * Changes the content under compare-and-swap. `decide` gets the present content, may be called several times, and
   * returns undefined to change nothing, or `none` to remove it. Throws `conflict` if others change it again and again.
   */
  async change(
    model: string,
    id: string,
    lifetime_s: number,
    decide: (present: ArtifactPayload | undefined) => ArtifactPayload | 'none' | undefined,
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const current = await this.#store.get(OAuth2Artifact, nameOf(model, id));
      const next = decide(current && this.#isLive(current) ? await this.open(current) : undefined);
      if (next === undefined) return;
      try {
        if (next === 'none') {
          if (current) await this.#removeAt(current);
          return;
        }
        const draft = this.#draft(model, id, next, lifetime_s);
        if (current)
          await this.#store.update(OAuth2Artifact, { ...draft, metadata: { ...current.metadata, ...draft.metadata } });
        else await this.#store.create(OAuth2Artifact, draft);
        return;
      } catch (error) {
        if (isProblem(error, 'not_found')) continue;
        if (!isProblem(error, 'conflict') || attempt === limits.artifactChanges) throw error;
      }
    }
  }

  async find(model: string, id: string): Promise<ArtifactPayload | undefined> {
    const artifact = await this.look(model, id);
    return artifact && this.open(artifact);
  }

  /** The browser session with this uid, by which other artefacts refer to it. */
  async findSession(uid: string): Promise<ArtifactPayload | undefined> {
    return this.#findBySecondId('SessionUid', uid, { [sessionLabel]: digestOf(uid).slice(0, labelDigits) });
  }

  /** The device code of the user code that a user entered. */
  async findByUserCode(userCode: string): Promise<ArtifactPayload | undefined> {
    const mark = this.#marked(userCode);
    return this.#findBySecondId('UserCode', mark, { [userCodeLabel]: mark });
  }

  /** The other id by which an artefact is found. */
  #secondIdOf(model: string, { uid, userCode }: ArtifactPayload) {
    if (model === 'Session' && uid !== undefined) return { model: 'SessionUid', id: uid };
    return userCode === undefined ? undefined : { model: 'UserCode', id: this.#marked(userCode) };
  }

  /**
   * In a shared store, a second artefact with this id has the name. Artefacts of earlier versions, and of another
   * store, do not have one: they are found by label.
   */
  async #findBySecondId(
    model: string,
    id: string,
    labels: Readonly<Record<string, string>>,
  ): Promise<ArtifactPayload | undefined> {
    const second = this.#store.sole ? undefined : await this.#store.get(OAuth2Artifact, nameOf(model, id));
    const { [secondField]: name } = (second && (await this.open(second))) ?? {};
    const found =
      typeof name === 'string'
        ? await this.#store.get(OAuth2Artifact, name)
        : (await this.#store.list(OAuth2Artifact, { selector: matching(labels), limit: 1 })).items[0];
    return found && this.#isLive(found) ? this.open(found) : undefined;
  }

  /** The stored object without decryption, which is enough to verify a token. */
  async look(model: string, id: string, options?: GetOptions): Promise<OAuth2Artifact | undefined> {
    return this.#live(nameOf(model, id), options);
  }

  /**
   * The decrypted content. If it was encrypted with another key, it counts as absent: after a change of keys all users
   * must log in again.
   */
  async open({ spec: { sealed, consumed } }: OAuth2Artifact): Promise<ArtifactPayload | undefined> {
    const text = await this.#sealer.open('artifacts', sealed);
    if (text === undefined) return undefined;
    const payload: unknown = JSON.parse(text);
    if (!isPayload(payload)) return undefined;
    return consumed === undefined ? payload : { ...payload, consumed: Math.floor(Date.parse(consumed) / 1000) };
  }

  /** Whether the grant of the artefact is still valid. */
  async isGranted({ spec: { grant } }: OAuth2Artifact, options?: GetOptions): Promise<boolean> {
    return grant !== undefined && (await this.#live(grant, options)) !== undefined;
  }

  /**
   * Uses it up. Of several concurrent attempts exactly one succeeds. If it was already used, everything of the same
   * grant is revoked.
   */
  async consume(model: string, id: string): Promise<boolean> {
    for (;;) {
      const artifact = await this.look(model, id);
      if (!artifact) return false;
      if (artifact.spec.consumed === undefined) {
        if (await this.#spend(artifact)) return true;
      } else {
        if (artifact.spec.grant !== undefined) await this.#endGrant(artifact.spec.grant);
        return false;
      }
    }
  }

  async destroy(model: string, id: string): Promise<void> {
    await this.#store.delete(OAuth2Artifact, nameOf(model, id));
  }

  /** Revokes everything that was issued under a grant. */
  async revoke(grantId: string): Promise<void> {
    await this.#endGrant(nameOf('Grant', grantId));
  }

  /**
   * Revokes everything that was issued to an account except the login of one token, and returns the number. It reads
   * all artefacts, so it is for rare operations.
   */
  async endAccount(accountId: string, kept?: OAuth2Artifact): Promise<number> {
    const { sessionUid } = (kept && (await this.open(kept))) ?? {};
    const keptSession = typeof sessionUid === 'string' ? digestOf(sessionUid).slice(0, labelDigits) : undefined;
    const isKept = ({ metadata, spec }: OAuth2Artifact) =>
      (kept?.spec.grant !== undefined && [metadata.name, spec.grant].includes(kept.spec.grant)) ||
      (keptSession !== undefined && metadata.labels?.[sessionLabel] === keptSession);
    let ended = 0;
    let next: string | undefined;
    do {
      const page = await this.#store.list(OAuth2Artifact, {
        limit: 500,
        ...defined({ continue: next }),
      });
      const others = page.items.filter((artifact) => artifact.spec.subject === accountId && !isKept(artifact));
      for (const { metadata } of others) await this.#store.delete(OAuth2Artifact, metadata.name);
      ended += others.length;
      next = page.continue;
      await this.#world.turn();
    } while (next !== undefined);
    return ended;
  }

  /** Removes all expired artefacts, and returns their number. */
  async sweep(signal: AbortSignal): Promise<number> {
    let swept = 0;
    this.#sweptUntil = periodOf(this.#world.now());
    let next: string | undefined;
    do {
      const page = await this.#store.list(OAuth2Artifact, {
        limit: 500,
        ...defined({ continue: next }),
      });
      for (const artifact of page.items.filter((candidate) => !this.#isLive(candidate))) {
        await this.#store.delete(OAuth2Artifact, artifact.metadata.name);
        swept++;
      }
      next = page.continue;
      await this.#world.turn();
    } while (next !== undefined && !signal.aborted);
    return swept;
  }

  /** Removes artefacts that expired since the last call, without reading all of them. */
  async sweepRecent(signal: AbortSignal): Promise<number> {
    let swept = 0;
    const current = periodOf(this.#world.now());
    for (let period = this.#sweptUntil ?? current; period < current && !signal.aborted; period++) {
      const { items } = await this.#store.list(OAuth2Artifact, {
        selector: matching({ [expiryLabel]: String(period) }),
      });
      for (const { metadata } of items) await this.#store.delete(OAuth2Artifact, metadata.name);
      swept += items.length;
      this.#sweptUntil = period + 1;
      await this.#world.turn();
    }
    return swept;
  }

  /** Reserves an id for its lifetime; false if it is already reserved. */
  async claim(model: string, id: string, lifetime_s: number): Promise<boolean> {
    try {
      await this.#store.create(OAuth2Artifact, this.#draft(model, id, {}, lifetime_s));
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict')) return false;
      throw error;
    }
  }

  /** Whether the object was unchanged since it was read. */
  async #spend(artifact: OAuth2Artifact): Promise<boolean> {
    try {
      await this.#store.update(OAuth2Artifact, {
        ...artifact,
        spec: { ...artifact.spec, consumed: timestamp(this.#world.now()) },
      });
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict') || isProblem(error, 'not_found')) return false;
      throw error;
    }
  }

  async #removeAt({ metadata: { name, uid, resourceVersion } }: OAuth2Artifact): Promise<void> {
    await this.#store.delete(OAuth2Artifact, name, { preconditions: { uid, resourceVersion } });
  }

  async #endGrant(grant: string): Promise<void> {
    // The grant is deleted first: without it nothing that was issued under it is valid, also tokens that are being
    // issued at this moment.
    await this.#store.delete(OAuth2Artifact, grant);
    // A shared store would compare the labels of all artefacts. There they stay until they expire.
    if (!this.#store.sole) return;
    const { items } = await this.#store.list(OAuth2Artifact, {
      selector: matching({ [grantLabel]: grant.slice(0, labelDigits) }),
    });
    for (const { metadata } of items) await this.#store.delete(OAuth2Artifact, metadata.name);
  }

  #draft(model: string, id: string, payload: ArtifactPayload, lifetime_s: number): Draft<typeof OAuth2Artifact> {
    // A pending login is not deleted with the grant of the previous user, because another user may be logging in with
    // the same browser.
    const grant =
      payload.grantId === undefined || model === 'Interaction' ? undefined : nameOf('Grant', payload.grantId);
    const expiry_ms = this.#world.now() + lifetime_s * 1000;
    return {
      metadata: {
        name: nameOf(model, id),
        labels: {
          [expiryLabel]: String(periodOf(expiry_ms)),
          ...(grant === undefined ? {} : { [grantLabel]: grant.slice(0, labelDigits) }),
          ...(payload.userCode === undefined ? {} : { [userCodeLabel]: this.#marked(payload.userCode) }),
          ...(model === 'Session' && payload.uid !== undefined
            ? { [sessionLabel]: digestOf(payload.uid).slice(0, labelDigits) }
            : {}),
        },
      },
      spec: {
        model,
        sealed: this.#sealer.seal('artifacts', JSON.stringify(payload), nameOf(model, id)),
        expiry: timestamp(expiry_ms),
        ...defined({ subject: payload.accountId, grant }),
      },
    };
  }

  /** A user code is short enough to be found by trying all of them, so its digest needs a key. */
  #marked(userCode: string): string {
    return createHmac('sha256', this.#sealer.keyFor('user-codes')).update(userCode).digest('hex').slice(0, labelDigits);
  }

  async #live(name: string, options?: GetOptions): Promise<OAuth2Artifact | undefined> {
    const artifact = await this.#store.get(OAuth2Artifact, name, options);
    return artifact && this.#isLive(artifact) ? artifact : undefined;
  }

  #isLive({ spec: { expiry } }: OAuth2Artifact): boolean {
    return Date.parse(expiry) > this.#world.now();
  }
}
