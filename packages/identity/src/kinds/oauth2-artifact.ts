import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/** The label that finds all artefacts of one login, to end them together. */
export const grantLabel = 'identity.unikorn-cloud.org/grant';
/** The label that finds a browser session without its cookie. */
export const sessionLabel = 'identity.unikorn-cloud.org/session';

/** The label that finds a device code by its user code. */
export const userCodeLabel = 'identity.unikorn-cloud.org/user-code';
/**
 * The five minutes in which it expires, counted from 1970, so that what has expired is found without reading the rest.
 */
export const expiryLabel = 'identity.unikorn-cloud.org/expires';

/**
 * A code, token, session, grant or pending login. Its name is a digest of what the holder presents, and what it says is
 * sealed, so whoever reads the store can present none of them.
 */
export const OAuth2Artifact = defineKind({
  ...groupVersion,
  kind: 'OAuth2Artifact',
  plural: 'oauth2artifacts',
  realisation: 'static',
  spec: Type.Object({
    model: Type.String(),
    sealed: Type.String(),
    expiry: Type.String({ format: 'date-time' }),
    /** Whom it speaks for, where it speaks for somebody. */
    subject: Type.Optional(Type.String()),
    /** The name of the grant that it is good for as long as. */
    grant: Type.Optional(Type.String()),
    /** When it was spent. */
    consumed: Type.Optional(Type.String({ format: 'date-time' })),
  }),
  status: {},
  indexedLabels: [grantLabel, sessionLabel, userCodeLabel, expiryLabel],
  immutable: ['/spec/model'],
});

export type OAuth2Artifact = Resource<typeof OAuth2Artifact>;
