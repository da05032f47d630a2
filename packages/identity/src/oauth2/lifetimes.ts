/** Lifetimes in seconds, by the model names of the OpenID library. */
export const lifetimes = {
  /** From the contract. */
  AccessToken: 3600,
  ClientCredentials: 3600,
  IdToken: 3600,
  /** Enough for a redirect and one call by the application's server. */
  AuthorizationCode: 60,
  /** Enough time to find a password. Pending logins at external providers have the same lifetime. */
  Interaction: 10 * 60,
  /** Enough time to find another device and log in there. */
  DeviceCode: 10 * 60,
  /** A user who did not use the platform for this long must log in again. */
  Session: 14 * 24 * 3600,
  RefreshToken: 14 * 24 * 3600,
  /** Everything that was issued after one login expires with it. */
  Grant: 14 * 24 * 3600,
} as const;

/** The protocol's name of the grant type for device codes (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
