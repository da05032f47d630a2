export type { ConfiguredClient } from './clients.ts';
export type { ConfiguredProvider } from './federation/providers.ts';
export type { Cost } from './login/password.ts';
export { createOAuth2, type Administrator, type OAuth2, type OAuth2Options } from './oauth2.ts';
