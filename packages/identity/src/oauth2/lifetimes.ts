/** How long each thing lives, in seconds, by the OpenID implementation's name for it. */
export const lifetimes = {
  /** The contract's. */
  AccessToken: 3600,
  ClientCredentials: 3600,
  IdToken: 3600,
  /** A redirect and one call by the application's server. */
  AuthorizationCode: 60,
  /** Long enough to find a password; pending logins at other providers end with it. */
  Interaction: 10 * 60,
  /** Long enough to find another device and log in there. */
  DeviceCode: 10 * 60,
  /** Whoever did not use the platform for this long logs in again. */
  Session: 14 * 24 * 3600,
  RefreshToken: 14 * 24 * 3600,
  /** Everything that follows from one login ends with it. */
  Grant: 14 * 24 * 3600,
} as const;

/** How the protocol names asking for tokens with a device code (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * The code of a program on the person's own machine, in seconds: where no browser can reach it, they carry the code
 * over by hand. PKCE makes it worthless to others.
 */
export const pastedCode_s = 5 * 60;
