/** The same request in the words of other tools: as a command, as a file, and as a request. */

type Scope = 'organization' | 'project' | 'region';

/** How a value is written as a flag. */
type Writing = 'text' | 'secret' | 'list' | 'switch' | 'json' | 'input' | 'base64' | 'rule' | 'listener';

interface Flag {
  /** Where the value is in the body, such as `spec.networkId`. */
  readonly path: string;
  readonly flag: string;
  readonly as: Writing;
  /** Only a creation has the flag. */
  readonly once?: true;
}

interface Noun {
  /** The flags that say where the resource is. */
  readonly scope: readonly Scope[];
  readonly flags: readonly Flag[];
  /** The body has the name here; `metadata.name` by default. */
  readonly namePath?: string;
}

const network: Flag = { path: 'spec.networkId', flag: 'network', as: 'text', once: true };
const groups: Flag = { path: 'spec.groupIDs', flag: 'group', as: 'list' };
const inProject: readonly Scope[] = ['organization', 'project'];
const inRegion: readonly Scope[] = ['organization', 'project', 'region'];

/** The nouns of the command line that the pages write, with the flags for what they write. */
const nouns = {
  instance: {
    scope: inProject,
    flags: [
      network,
      { path: 'spec.flavorId', flag: 'flavor', as: 'text' },
      { path: 'spec.imageId', flag: 'image', as: 'text' },
      { path: 'spec.networking.securityGroups', flag: 'security-group', as: 'list' },
      { path: 'spec.networking.publicIP', flag: 'public-ip', as: 'switch' },
      { path: 'spec.networking.allowedSourceAddresses', flag: 'allowed-source', as: 'list' },
      { path: 'spec.sshCertificateAuthorityId', flag: 'ssh-ca', as: 'text' },
      { path: 'spec.deletionProtection', flag: 'deletion-protection', as: 'switch' },
      { path: 'spec.afterRebuild', flag: 'after-rebuild', as: 'text' },
      { path: 'spec.userData', flag: 'user-data', as: 'base64' },
    ],
  },
  network: {
    scope: inRegion,
    flags: [
      { path: 'spec.prefix', flag: 'prefix', as: 'text', once: true },
      { path: 'spec.dnsNameservers', flag: 'dns', as: 'list' },
      { path: 'spec.routes', flag: 'routes', as: 'json' },
    ],
  },
  securitygroup: { scope: inProject, flags: [network, { path: 'spec.rules', flag: 'rule', as: 'rule' }] },
  loadbalancer: {
    scope: inProject,
    flags: [
      network,
      { path: 'spec.listeners', flag: 'listener', as: 'listener' },
      { path: 'spec.publicIP', flag: 'public-ip', as: 'switch' },
      { path: 'spec.vipAddress', flag: 'vip', as: 'text', once: true },
    ],
  },
  filestorage: {
    scope: inRegion,
    flags: [
      { path: 'spec.sizeGiB', flag: 'size', as: 'text' },
      { path: 'spec.storageClassId', flag: 'class', as: 'text', once: true },
      { path: 'spec.attachments.networkIds', flag: 'network', as: 'list' },
      { path: 'spec.storageType.NFS.rootSquash', flag: 'root-squash', as: 'switch' },
      { path: 'spec.snapshotPolicies', flag: 'snapshot-policies', as: 'json' },
      { path: 'spec.defaultSnapshotProtectionEnabled', flag: 'default-snapshot-protection', as: 'switch' },
    ],
  },
  filestorageclass: {
    scope: ['region'],
    flags: [
      { path: 'spec.provisioner', flag: 'provisioner', as: 'text' },
      { path: 'spec.protocols', flag: 'protocol', as: 'list' },
      { path: 'spec.parallelism', flag: 'parallelism', as: 'text' },
    ],
  },
  sshca: { scope: inProject, flags: [{ path: 'spec.publicKey', flag: 'public-key', as: 'input', once: true }] },
  image: {
    scope: ['organization', 'region'],
    flags: [
      { path: 'spec.uri', flag: 'from', as: 'text' },
      { path: 'spec.architecture', flag: 'architecture', as: 'text' },
      { path: 'spec.virtualization', flag: 'virtualization', as: 'text' },
      { path: 'spec.os.family', flag: 'os-family', as: 'text' },
      { path: 'spec.os.distro', flag: 'os-distro', as: 'text' },
      { path: 'spec.os.version', flag: 'os-version', as: 'text' },
      { path: 'spec.os.variant', flag: 'os-variant', as: 'text' },
      { path: 'spec.os.codename', flag: 'os-codename', as: 'text' },
      { path: 'spec.gpu', flag: 'gpu', as: 'json' },
      { path: 'spec.softwareVersions', flag: 'software', as: 'json' },
    ],
  },
  project: { scope: ['organization'], flags: [groups] },
  group: {
    scope: ['organization'],
    flags: [
      { path: 'spec.roleIDs', flag: 'role', as: 'list' },
      { path: 'spec.subjects', flag: 'user', as: 'list' },
      { path: 'spec.serviceAccountIDs', flag: 'serviceaccount', as: 'list' },
    ],
  },
  user: {
    scope: ['organization'],
    namePath: 'spec.subject',
    flags: [{ path: 'spec.state', flag: 'state', as: 'text' }, groups],
  },
  serviceaccount: { scope: ['organization'], flags: [groups] },
  loginprovider: {
    scope: ['organization'],
    flags: [
      { path: 'spec.type', flag: 'type', as: 'text' },
      { path: 'spec.issuer', flag: 'issuer', as: 'text' },
      { path: 'spec.clientID', flag: 'client-id', as: 'text' },
      { path: 'spec.clientSecret', flag: 'client-secret', as: 'secret' },
    ],
  },
  oauth2client: {
    scope: [],
    flags: [
      { path: 'spec.type', flag: 'type', as: 'text', once: true },
      { path: 'spec.redirectUris', flag: 'redirect-uri', as: 'list' },
      { path: 'spec.postLogoutRedirectUris', flag: 'post-logout-redirect-uri', as: 'list' },
      { path: 'spec.loginUri', flag: 'login-uri', as: 'text' },
    ],
  },
} satisfies Readonly<Record<string, Noun>>;

export type CliNoun = keyof typeof nouns;

export interface Named {
  readonly metadata: { readonly id: string; readonly name: string };
}

export interface Writes {
  readonly noun: CliNoun;
  /** The name that the resource has now, or will have. */
  readonly name: string;
  /** What is sent, with ids. */
  readonly body: object;
  /** What the resource has now; without it, the resource is created. */
  readonly before?: object | undefined;
  /** What only a creation sets, which a file has also for a change. */
  readonly fixed?: object | undefined;
  /** The resources that the ids belong to. */
  readonly known: readonly (readonly Named[])[];
  /** Names or ids of where the resource is. */
  readonly place: Readonly<Partial<Record<Scope, string>>>;
}

/** The command that does the same; undefined if nothing would be changed. */
export function commandOf({ noun, name, body, before, known, place }: Writes): string | undefined {
  const { scope, flags } = nounOf(noun);
  const [wanted, current] = [named(body, known), before && named(before, known)];
  const own = flags
    .filter(({ once }) => once === undefined || before === undefined)
    .map((flag) => ({ ...flag, value: at(wanted, flag.path), old: at(current, flag.path) }))
    .filter(({ value, old }) => (before ? !isSame(value, old) : value !== undefined));
  const words = [
    ...own.flatMap(({ flag, as, value }) => written(flag, as, value)),
    ...metadataFlags(wanted, current, name),
  ];
  if (before && words.length === 0) return undefined;
  const input = own.find(({ as }) => as === 'input' || as === 'base64');
  const places = placeFlags(scope, place);
  const verb = before ? 'update' : 'create';
  const line = [`npx unikorn ${noun} ${verb} ${name === '' ? 'NAME' : shellWord(name)}`, ...words, ...places].join(
    ' \\\n  ',
  );
  return input && input.value !== undefined ? `${line} <<'END'\n${inputOf(input.as, input.value)}\nEND` : line;
}

/** An action on a resource that is there, such as `stop` or `delete`. */
export interface Acts {
  readonly noun: CliNoun;
  readonly verb: string;
  readonly name: string;
  /** With their values, quoted for a shell. */
  readonly flags?: readonly string[] | undefined;
  readonly place: Readonly<Partial<Record<Scope, string>>>;
}

/** The command of an action. */
export function actionOf({ noun, verb, name, flags = [], place }: Acts): string {
  return [`npx unikorn ${noun} ${verb} ${shellWord(name)}`, ...flags, ...placeFlags(nounOf(noun).scope, place)].join(
    ' \\\n  ',
  );
}

/** The document with which `unikorn delete` finds the resource, and the command that takes it. */
export function deletionOf({ noun, name, place }: Omit<Acts, 'verb' | 'flags'>): FileForm {
  const { namePath, scope } = nounOf(noun);
  const { region } = place;
  const spec = {
    ...(namePath === undefined ? {} : { [namePath.replace(/^spec\./, '')]: name }),
    ...(scope.includes('region') && region !== undefined ? { regionId: region } : {}),
  };
  return {
    command: fileCommand('delete', { noun, place }),
    document: {
      kind: noun,
      ...(namePath === undefined ? { metadata: { name } } : {}),
      ...(Object.keys(spec).length === 0 ? {} : { spec }),
    },
  };
}

/** A file, and the command that takes it. */
export interface FileForm {
  readonly command: string;
  readonly document: object;
}

/** The document that `unikorn apply` takes, with names instead of ids. */
export function documentOf({ noun, name, body, fixed, known, place }: Writes): Readonly<Record<string, unknown>> {
  const { namePath, scope } = nounOf(noun);
  const wanted = named(body, known);
  const metadata = fieldsOf(at(wanted, 'metadata'));
  // Where the resource is comes from the flags.
  const scopes = scope.filter((each) => each !== 'region').map((each) => `${each}Id`);
  const all = { ...fieldsOf(named(fixed ?? {}, known)), ...fieldsOf(at(wanted, 'spec')) };
  const spec = Object.fromEntries(Object.entries(all).filter(([key]) => !scopes.includes(key)));
  const tags = tagsIn(wanted);
  return {
    kind: noun,
    ...(namePath === undefined
      ? {
          metadata: {
            ...metadata,
            name: name === '' ? 'NAME' : name,
            ...(tags.length > 0 ? { tags: Object.fromEntries(tags) } : {}),
          },
        }
      : {}),
    spec: { ...spec, ...(scope.includes('region') && place.region !== undefined ? { regionId: place.region } : {}) },
  };
}

/** The file that does the same, and the command that applies it. */
export function fileOf(writes: Writes): FileForm {
  return { command: fileCommand('apply', writes), document: documentOf(writes) };
}

/** Where the resource is comes from the flags, except for the region. */
function fileCommand(verb: 'apply' | 'delete', { noun, place }: Pick<Writes, 'noun' | 'place'>): string {
  const scope = nounOf(noun).scope.filter((each) => each !== 'region');
  return [`npx unikorn ${verb} -f ${noun}.yaml`, ...placeFlags(scope, place)].join(' ');
}

function placeFlags(scope: readonly Scope[], place: Writes['place']): readonly string[] {
  return scope.flatMap((each) => {
    const where = place[each];
    return where === undefined || where === '' ? [] : [`--${each} ${shellWord(where)}`];
  });
}

function nounOf(noun: CliNoun): Noun {
  return nouns[noun];
}

/** The flags for what differs in name, description and tags. */
export function metadataFlags(wanted: unknown, current: unknown, name: string): readonly string[] {
  const renamed = at(wanted, 'metadata.name');
  const description = at(wanted, 'metadata.description');
  const [tags, old] = [tagsIn(wanted), current === undefined ? [] : tagsIn(current)];
  const isOld = ([tag, value]: readonly [string, string]) => old.some(([other, was]) => other === tag && was === value);
  return [
    ...(current !== undefined && typeof renamed === 'string' && renamed !== '' && renamed !== name
      ? [`--name ${shellWord(renamed)}`]
      : []),
    ...((description ?? '') === ((current === undefined ? undefined : at(current, 'metadata.description')) ?? '')
      ? []
      : [`--description ${shellWord(typeof description === 'string' ? description : '')}`]),
    ...tags.filter((tag) => !isOld(tag)).map(([tag, value]) => `--tag ${shellWord(`${tag}=${value}`)}`),
    ...old.filter(([tag]) => !tags.some(([other]) => other === tag)).map(([tag]) => `--untag ${shellWord(tag)}`),
  ];
}

function tagsIn(body: unknown): readonly (readonly [string, string])[] {
  const tags = at(body, 'metadata.tags');
  return (Array.isArray(tags) ? tags : []).map((tag) => [String(at(tag, 'name')), String(at(tag, 'value'))] as const);
}

/** An empty value removes what is there. */
function written(flag: string, as: Writing, value: unknown): readonly string[] {
  const one = (text: string) => `--${flag} ${shellWord(text)}`;
  const each = (text: (element: unknown) => string) => {
    const elements = Array.isArray(value) ? value : [];
    return elements.length === 0 ? [one('')] : elements.map((element) => one(text(element)));
  };
  switch (as) {
    case 'switch':
      return [value === true ? `--${flag}` : `--no-${flag}`];
    case 'list':
      return each(String);
    case 'rule':
      return each(ruleText);
    case 'listener':
      return each((listener) => JSON.stringify(listener));
    case 'json':
      return [one(value === undefined ? '' : JSON.stringify(value))];
    case 'input':
    case 'base64':
      return [value === undefined ? one('') : `--${flag} -`];
    case 'secret':
      return [one('secret.txt')];
    case 'text':
      return [one(typeof value === 'string' || typeof value === 'number' ? String(value) : '')];
  }
}

function ruleText(rule: unknown): string {
  const text = (key: string) => {
    const value = at(rule, key);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const [port, last] = [text('port'), text('portMax')];
  const ports = port === undefined || last === undefined ? port : `${port}-${last}`;
  return [text('direction'), text('protocol'), ports, text('prefix')].filter((part) => part !== undefined).join(':');
}

function inputOf(as: Writing, value: unknown): string {
  if (typeof value !== 'string') return '';
  if (as !== 'base64') return value;
  return new TextDecoder().decode(Uint8Array.from(atob(value), (character) => character.codePointAt(0) ?? 0));
}

/** A word of a command line, quoted where a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same value with names instead of ids. A name that several resources have stays an id. */
function named(value: unknown, known: readonly (readonly Named[])[]): unknown {
  const all = known.flat();
  const counts = new Map<string, number>();
  for (const { metadata } of all) counts.set(metadata.name, (counts.get(metadata.name) ?? 0) + 1);
  const names = new Map(
    all.filter(({ metadata }) => counts.get(metadata.name) === 1).map(({ metadata }) => [metadata.id, metadata.name]),
  );
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return names.get(inner) ?? inner;
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).flatMap(([key, each]) => (each === undefined ? [] : [[key, walk(each)] as const])),
    );
  };
  return walk(value);
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
      value,
    );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(normal(one)) === JSON.stringify(normal(other));
}

/** What is missing, false and empty means the same. */
function normal(value: unknown): unknown {
  return value === false || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value;
}
