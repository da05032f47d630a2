import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/** The label that selects all artefacts of one login, to end them together. */
export const grantLabel = 'identity.unikorn-cloud.org/grant';
/** The label that selects a browser session without its cookie. */
export const sessionLabel = 'identity.unikorn-cloud.org/session';

/** The label that selects a device code by its user code. */
export const userCodeLabel = 'identity.unikorn-cloud.org/user-code';
/**
 * The five-minute period in which it expires, counted from 1970, so that expired artefacts are found without reading
 * the others.
 */
export const expiryLabel = 'identity.unikorn-cloud.org/expires';

/**
 * A code, token, session, grant or pending login. Its name is a digest of the value that the holder presents, and its
 * content is encrypted, so a reader of the store cannot use any of them.
 */
export const OAuth2Artifact = defineKind({
  ...groupVersion,
  kind: 'OAuth2Artifact',
  plural: 'oauth2artifacts',
  realisation: 'static',
  archive: true,
  spec: Type.Object({
    model: Type.String(),
    sealed: Type.String(),
    expiry: Type.String({ format: 'date-time' }),
    /** The account that it belongs to, if any. */
    subject: Type.Optional(Type.String()),
    /** The name of the grant that it depends on. */
    grant: Type.Optional(Type.String()),
    /** When it was used up. */
    consumed: Type.Optional(Type.String({ format: 'date-time' })),
  }),
  status: {},
  indexedLabels: [grantLabel, sessionLabel, userCodeLabel, expiryLabel],
  immutable: ['/spec/model'],
});

export type OAuth2Artifact = Resource<typeof OAuth2Artifact>;
