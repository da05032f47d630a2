/** The endpoints of the OpenID library, by its names for them. */
export const paths = {
  authorization: '/oauth2/v2/authorization',
  token: '/oauth2/v2/token',
  userinfo: '/oauth2/v2/userinfo',
  jwks: '/oauth2/v2/jwks',
  revocation: '/oauth2/v2/revocation',
  end_session: '/oauth2/v2/logout',
  device_authorization: '/oauth2/v2/device_authorization',
  code_verification: '/oauth2/v2/device',
} as const;

export const loginPath = '/oauth2/v2/login';
