import { X509Certificate } from 'node:crypto';

import { Type, type Static } from 'typebox';

import { defined } from '@unikorn/core/defined';

import { ProviderFailure } from '../../../provider/index.ts';
import { interfaces, type CloudAccess, type Credential, type Domain, type Interface, type Scope } from './access.ts';
import { shapeOf } from './shape.ts';

/** A cloud as a `clouds.yaml` describes it. */
export interface CloudEntry {
  readonly access: CloudAccess;
  readonly credential: Credential;
  /** The project or domain that the file names; `own` for an application credential. */
  readonly scope: Scope;
}

export interface ReadOptions {
  /** Which of the clouds in the file; it may be left out where there is one. */
  readonly cloud?: string;
  /** Reads the file that `cacert` names; a file is refused without it. */
  readonly readAuthority?: (path: string) => Promise<string>;
}

const Text = Type.Optional(Type.String({ minLength: 1 }));

const Auth = Type.Object({
  auth_url: Type.String({ pattern: '^https?://' }),
  username: Text,
  user_id: Text,
  password: Text,
  user_domain_name: Text,
  user_domain_id: Text,
  project_name: Text,
  project_id: Text,
  project_domain_name: Text,
  project_domain_id: Text,
  domain_name: Text,
  domain_id: Text,
  application_credential_id: Text,
  application_credential_name: Text,
  application_credential_secret: Text,
});
type Auth = Readonly<Static<typeof Auth>>;

const Entry = Type.Object({
  auth: Auth,
  auth_type: Text,
  region_name: Text,
  interface: Text,
  endpoint_type: Text,
  verify: Type.Optional(Type.Boolean()),
  cacert: Text,
  identity_api_version: Type.Optional(Type.Union([Type.String(), Type.Number()])),
});
type Entry = Readonly<Static<typeof Entry>>;

/** Settings that would change how the cloud is reached, and that we do not support. */
const unsupported = ['profile', 'cloud', 'regions', 'cert', 'key', 'insecure', 'token_endpoint'];
const unsupportedAuth = ['token', 'passcode', 'trust_id', 'system_scope', 'identity_provider', 'tenant_name'];

const file = shapeOf(Type.Object({ clouds: Type.Record(Type.String(), Type.Unknown()) }));
const entryShape = shapeOf(Entry);
const anyFields = shapeOf(Type.Record(Type.String(), Type.Unknown()));

/**
 * Reads one cloud of a `clouds.yaml`. A setting that we do not support is refused rather than ignored.
 *
 * @example const { access, credential } = await readCloudsYaml(text, { cloud: 'production' });
 */
export async function readCloudsYaml(text: string, { cloud, readAuthority }: ReadOptions = {}): Promise<CloudEntry> {
  const value = await parseYaml(text);
  if (!file.Check(value)) throw broken('it must have a list of clouds under `clouds`');
  const { name, entry } = chosen(value.clouds, cloud);
  const at = (why: string, cause?: unknown) => broken(`cloud ${name}: ${why}`, cause);
  refuseUnsupported(entry, at);
  if (!entryShape.Check(entry))
    throw at('it must have `auth` with `auth_url`, an http or https address, and its settings must be texts');
  if (!URL.canParse(entry.auth.auth_url)) throw at('`auth_url` is not an address');
  if (entry.identity_api_version !== undefined && !/^3(\.\d+)?$/.test(String(entry.identity_api_version)))
    throw at('`identity_api_version` must be 3');
  const credential = credentialOf(entry, at);
  return {
    access: {
      authUrl: entry.auth.auth_url,
      ...defined({ regionName: entry.region_name }),
      interface: interfaceOf(entry, at),
      tls: { verify: entry.verify ?? true, ...defined({ authority: await authorityOf(entry, readAuthority, at) }) },
    },
    credential,
    scope: credential.method === 'application_credential' ? 'own' : scopeOf(entry.auth, at),
  };
}

type Broken = (why: string, cause?: unknown) => ProviderFailure;

function chosen(
  clouds: Readonly<Record<string, unknown>>,
  wanted: string | undefined,
): { readonly name: string; readonly entry: unknown } {
  const names = Object.keys(clouds);
  const name = wanted ?? names[0];
  if (name === undefined) throw broken('it has no clouds');
  if (wanted === undefined && names.length > 1)
    throw broken(`it has several clouds (${names.join(', ')}): name the one to use`);
  if (!names.includes(name)) throw broken(`it has no cloud ${name}, but ${names.join(', ')}`);
  return { name, entry: clouds[name] };
}

function refuseUnsupported(entry: unknown, at: Broken): void {
  if (!anyFields.Check(entry)) throw at('it must be a list of settings');
  const auth = anyFields.Check(entry['auth']) ? entry['auth'] : {};
  const found =
    unsupported.find((name) => name in entry) ??
    unsupportedAuth.find((name) => name in auth) ??
    Object.keys(entry).find((name) => name.endsWith('_endpoint_override'));
  if (found !== undefined) throw at(`the setting \`${found}\` is not supported: remove it`);
}

function credentialOf({ auth, auth_type }: Entry, at: Broken): Credential {
  const secret = auth.application_credential_secret;
  switch (auth_type ?? (secret === undefined ? 'password' : 'v3applicationcredential')) {
    case 'password':
    case 'v3password':
      if (auth.password === undefined) throw at('`auth` must have `password`, or an application credential');
      return { method: 'password', user: userOf(auth, at), password: auth.password };
    case 'v3applicationcredential':
      if (secret === undefined) throw at('`auth` must have `application_credential_secret`');
      if (auth.application_credential_id !== undefined)
        return { method: 'application_credential', id: auth.application_credential_id, secret };
      if (auth.application_credential_name === undefined)
        throw at('`auth` must have `application_credential_id`, or `application_credential_name` and a user');
      return {
        method: 'application_credential',
        name: auth.application_credential_name,
        user: userOf(auth, at),
        secret,
      };
    default:
      throw at('`auth_type` must be password or v3applicationcredential');
  }
}

function userOf(auth: Auth, at: Broken): { readonly id: string } | { readonly name: string; readonly domain: Domain } {
  if (auth.user_id !== undefined) return { id: auth.user_id };
  const domain = domainOf(auth.user_domain_id, auth.user_domain_name);
  if (auth.username === undefined || !domain)
    throw at('`auth` must have `user_id`, or `username` with `user_domain_name` or `user_domain_id`');
  return { name: auth.username, domain };
}

function scopeOf(auth: Auth, at: Broken): Exclude<Scope, 'own'> {
  if (auth.project_id !== undefined) return { project: { id: auth.project_id } };
  if (auth.project_name !== undefined) {
    const domain = domainOf(auth.project_domain_id, auth.project_domain_name);
    if (!domain) throw at('`project_name` needs `project_domain_name` or `project_domain_id`');
    return { project: { name: auth.project_name, domain } };
  }
  const domain = domainOf(auth.domain_id, auth.domain_name);
  if (!domain) throw at('`auth` must name a project or a domain');
  return { domain };
}

function domainOf(id: string | undefined, name: string | undefined): Domain | undefined {
  if (id !== undefined) return { id };
  return name === undefined ? undefined : { name };
}

function interfaceOf({ interface: wanted, endpoint_type }: Entry, at: Broken): Interface {
  const text = (wanted ?? endpoint_type ?? 'public').replace(/URL$/, '');
  const known = interfaces.find((name) => name === text);
  if (!known) throw at('`interface` must be public, internal or admin');
  return known;
}

async function authorityOf(
  { cacert }: Entry,
  readAuthority: ReadOptions['readAuthority'],
  at: Broken,
): Promise<string | undefined> {
  if (cacert === undefined) return undefined;
  const isText = cacert.includes('-----BEGIN');
  if (!isText && !readAuthority) throw at('`cacert` names a file: put the certificate itself there, in PEM');
  const pem = isText
    ? cacert
    : await readAuthority?.(cacert).catch((cause: unknown) => Promise.reject(at('`cacert` cannot be read', cause)));
  try {
    // Node silently does without an authority that it cannot read.
    new X509Certificate(pem ?? '');
  } catch (cause) {
    throw at('`cacert` is not a certificate in PEM', cause);
  }
  return pem;
}

async function parseYaml(text: string): Promise<unknown> {
  // Only those who have such a region pay for the parser.
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (cause) {
    throw broken('it must be YAML', cause);
  }
}

function broken(why: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure('invalid', `the clouds.yaml cannot be used: ${why}`, { cause });
}
