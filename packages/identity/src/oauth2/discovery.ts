import type { KoaContextWithOIDC } from 'oidc-provider';

/** The values that the contract's discovery document may contain. Other features are not published. */
const words: Readonly<Record<string, readonly string[]>> = {
  claims_supported: [
    'aud',
    'email',
    'email_verified',
    'exp',
    'family_name',
    'given_name',
    'iat',
    'iss',
    'locale',
    'name',
    'picture',
    'sub',
  ],
  grant_types_supported: [
    'authorization_code',
    'client_credentials',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ],
  response_modes_supported: ['query', 'fragment'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'tls_client_auth'],
};

/** Serves discovery and keys with the values and media type of the contract. */
export async function discoveryInContract(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.status !== 200 || !isObject(ctx.body)) return;
  if (ctx.path.endsWith('/jwks')) ctx.type = 'application/json';
  if (ctx.path.endsWith('/.well-known/openid-configuration')) {
    ctx.body = Object.fromEntries(
      Object.entries(ctx.body).map(([name, value]) => [
        name,
        words[name] && Array.isArray(value) ? value.filter((word) => words[name]?.includes(String(word))) : value,
      ]),
    );
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
