/** Which of the addresses of a service is used. */
export const interfaces = ['public', 'internal', 'admin'] as const;
export type Interface = (typeof interfaces)[number];

/** How a cloud is reached. */
export interface CloudAccess {
  /** The address of Keystone, with or without its version. */
  readonly authUrl: string;
  /** Must be given where the cloud has several regions. */
  readonly regionName?: string;
  readonly interface: Interface;
  /** `authority` are certificates in PEM, beside those that the machine trusts. */
  readonly tls: { readonly verify: boolean; readonly authority?: string };
}

/** Names of users and projects are unique in their domain only. */
type Named = { readonly id: string } | { readonly name: string; readonly domain: Domain };
export type Domain = { readonly id: string } | { readonly name: string };
export type User = Named;
export type Project = Named;

export type Credential =
  | { readonly method: 'password'; readonly user: User; readonly password: string }
  | { readonly method: 'application_credential'; readonly id: string; readonly secret: string }
  | {
      readonly method: 'application_credential';
      readonly name: string;
      readonly user: User;
      readonly secret: string;
    };

/** An application credential belongs to one project, so its scope is `own`. */
export type Scope = { readonly project: Project } | { readonly domain: Domain } | 'own';

/** As whom a call is made, and for which project or domain. */
export interface Principal {
  readonly credential: Credential;
  readonly scope: Scope;
}
