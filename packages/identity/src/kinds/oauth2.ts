export { expiryLabel, grantLabel, OAuth2Artifact, sessionLabel, userCodeLabel } from './oauth2-artifact.ts';
export { OAuth2Client } from './oauth2-client.ts';
export { OAuth2Provider, OAuth2ProviderType } from './oauth2-provider.ts';
export { SigningKey, signingKeyName } from './signing-key.ts';
export { UserInvitation } from './user-invitation.ts';
export { UserPassword } from './user-password.ts';
