/**
 * Where the console does what each command does. `command-line.e2e.ts` compares it with the commands, and looks for
 * each control in the running pages.
 */

/** What is on a page: an element with this role and name, or a field with this label. */
export type Control = readonly [role: Role, name: string | RegExp] | string;

type Role = 'button' | 'heading' | 'link' | 'region' | 'switch' | 'dialog' | 'radio' | 'row' | 'meter' | 'group';

export type Entry =
  | {
      /** Below `/console`. `:network` stands for the id of the network that the test made, and so on. */
      readonly page: string;
      readonly control: Control;
      /** The field for each flag, or why there is none. */
      readonly flags?: Readonly<Record<string, Control | Why>>;
    }
  | Why
  | Journey;

/** Why the command has no meaning in a browser, or no effect. */
export interface Why {
  readonly why: string;
}

/** A control that needs more than an address is found by a journey. */
export interface Journey {
  readonly journey: string;
  /** What the journey uses. */
  readonly uses: string;
}

/** Flags that say how a command prints and waits. A page is always live, and asks in a dialog. */
export const ofTheTerminal = ['yes', 'wait', 'timeout', 'allow', 'dry-run'];

const project = '/o/$org/p/$project';
const described = { description: 'Description', tag: 'Tags', untag: 'Tags' } as const;
const named = { ...described, name: 'Name' } as const;
const heading = (name: string | RegExp) => ['heading', name] as const;
const dialog = (name: string | RegExp) => ['dialog', name] as const;
const files = 'the files are on the machine of the user; forms and dialogs show the file for each change';
const machine = 'it concerns the machine on which the command line is installed';

const newInstance = {
  network: 'Network',
  flavor: ['radio', /sim-standard-4/],
  image: 'Image',
  'security-group': ['group', 'Security groups'],
  'public-ip': 'Public address',
  'allowed-source': 'Other addresses it may send from',
  'user-data': 'User data',
  'ssh-ca': 'SSH authority',
  'deletion-protection': 'Protect against deletion',
  'after-rebuild': 'After its disk was replaced',
  description: 'Description',
  tag: 'Tags',
} as const satisfies Readonly<Record<string, Control>>;

/** The flags of a change whose field is on another page than the dialog. */
const elsewhere = {
  'deletion-protection': { why: 'instance settings: “Protect against deletion”' },
  'after-rebuild': { why: 'instance settings: “After its disk was replaced”' },
  description: { why: 'instance settings: “Save the description”' },
  tag: { why: 'the action “Edit tags” of the instance' },
  untag: { why: 'the action “Edit tags” of the instance' },
} as const;

const changeInstance: Entry = {
  page: `${project}/instances/:instance?change=1`,
  control: dialog('Change web-1'),
  flags: {
    flavor: 'Flavor',
    image: 'Image',
    'security-group': ['group', 'Security groups'],
    'public-ip': 'Public address',
    'allowed-source': 'Other addresses it may send from',
    'user-data': 'User data',
    'ssh-ca': 'SSH authority',
    ...elsewhere,
    filename: { why: files },
  },
};

/** The verbs of a noun of a project that has a page for each resource. */
function onPages(
  noun: string,
  { path, id, title, name, fields }: Record<'path' | 'id' | 'title' | 'name', string> & Fields,
): Readonly<Record<string, Entry>> {
  const { create, update } = fields;
  return {
    [`${noun} list`]: { page: path, control: heading(title) },
    [`${noun} watch`]: { page: path, control: heading(title) },
    [`${noun} get`]: { page: `${path}/:${id}`, control: heading(name) },
    [`${noun} create`]: { page: `${path}?dialog=new`, control: dialog(/./), flags: { ...described, ...create } },
    ...(update
      ? {
          [`${noun} update`]: {
            page: `${path}/:${id}?dialog=edit`,
            control: dialog(`Change ${name}`),
            flags: { ...named, ...update },
          },
        }
      : {}),
    [`${noun} explain`]: { page: `${path}/:${id}`, control: ['region', 'What it needs'] },
    [`${noun} history`]: { page: `${path}/:${id}/history`, control: ['region', 'History'] },
    [`${noun} delete`]: {
      page: `${path}/:${id}?dialog=delete`,
      control: dialog(`Delete ${name}`),
      flags: { 'ignore-protection': { why: 'a network with an instance is not deleted, protected or not' } },
    },
  };
}

/** The verbs of a noun whose resources are rows of a list. */
function inList(
  noun: string,
  { path, id, title, name, fields }: Record<'path' | 'id' | 'title' | 'name', string> & Fields,
): Readonly<Record<string, Entry>> {
  const { create, update } = fields;
  return {
    [`${noun} list`]: { page: path, control: heading(title) },
    [`${noun} watch`]: { page: path, control: heading(title) },
    [`${noun} get`]: { page: path, control: ['row', new RegExp(`^${name}`)] },
    [`${noun} create`]: { page: `${path}?dialog=new`, control: dialog(/./), flags: create },
    ...(update
      ? {
          [`${noun} update`]: {
            page: `${path}?dialog=edit&id=:${id}`,
            control: dialog(`Change ${name}`),
            flags: update,
          },
        }
      : {}),
    [`${noun} delete`]: { page: `${path}?dialog=delete&id=:${id}`, control: dialog(`Delete ${name}`) },
  };
}

interface Fields {
  readonly fields: Readonly<Record<'create', Flags>> & Readonly<Partial<Record<'update', Flags>>>;
}

type Flags = Readonly<Record<string, Control | Why>>;

const groupFields: Flags = { role: ['group', 'Roles'], user: ['group', 'People'], serviceaccount: 'Service accounts' };
const loginProviderFields: Flags = {
  type: 'Type',
  issuer: 'Issuer',
  'client-id': 'Client id',
  'client-secret': 'Client secret',
};
const applicationFields: Flags = {
  'redirect-uri': 'Addresses after login',
  'post-logout-redirect-uri': 'Addresses after logout',
  'login-uri': 'Own login page',
};
const organizationFields: Flags = {
  type: 'Type',
  domain: 'Mail domain',
  'provider-scope': 'Login provider',
  'provider-id': 'Id of the login provider',
  'google-customer-id': 'Google customer id',
};
const regionFields: Flags = {
  tenant: ['group', 'Organizations'],
  simulated: ['region', 'Connection'],
  kubernetes: ['region', 'Connection'],
  openstack: ['region', 'Connection'],
};

export const entries: Readonly<Record<string, Entry>> = {
  'instance list': { page: `${project}/instances`, control: heading('Instances') },
  'instance watch': { page: `${project}/instances`, control: ['row', /web-1/] },
  'instance get': { page: `${project}/instances/:instance`, control: ['region', 'About'] },
  'instance explain': { page: `${project}/instances/:instance`, control: ['region', 'What it needs'] },
  'instance create': {
    page: `${project}/instances/new`,
    control: ['button', 'Create instance'],
    flags: newInstance,
  },
  'instance update': changeInstance,
  'instance resize': changeInstance,
  'instance plan': changeInstance,
  'instance delete': { page: `${project}/instances/:instance?dialog=delete`, control: dialog('Delete web-1?') },
  'instance history': { page: `${project}/instances/:instance/history`, control: ['region', 'History'] },
  'instance start': { page: `${project}/instances?sel=:instance`, control: ['button', 'Start'] },
  'instance stop': { page: `${project}/instances/:instance?dialog=stop`, control: dialog('Stop web-1?') },
  'instance reboot': {
    page: `${project}/instances/:instance?dialog=reboot`,
    control: dialog('Reboot web-1?'),
    flags: { hard: 'Switch the power off and on' },
  },
  'instance snapshot': {
    page: `${project}/instances/:instance?dialog=snapshot`,
    control: dialog('Create a snapshot of web-1'),
    flags: { 'image-name': 'Name of the image', description: 'Description', tag: 'Tags' },
  },
  'instance console': {
    page: `${project}/instances/:instance/console`,
    control: ['button', 'Connect'],
    flags: { attach: ['button', 'Connect'], open: { why: 'the terminal is in the page' } },
  },
  'instance logs': { page: `${project}/instances/:instance/console`, control: ['region', 'Console output'] },
  'instance ssh-key': { page: `${project}/instances/:instance/settings`, control: ['button', 'Show the key'] },
  'instance ssh': { why: 'a browser cannot run ssh; the page has the terminal, the key and the addresses' },

  ...onPages('network', {
    path: `${project}/networks`,
    id: 'network',
    title: 'Networks',
    name: 'frontend',
    fields: {
      create: { prefix: 'Prefix', dns: 'Name servers', routes: 'Routes' },
      update: { dns: 'Name servers', routes: 'Routes' },
    },
  }),
  ...onPages('securitygroup', {
    path: `${project}/security-groups`,
    id: 'securitygroup',
    title: 'Security groups',
    name: 'web',
    fields: { create: { network: 'Network', rule: ['button', 'Add rule'] }, update: { rule: ['button', 'Add rule'] } },
  }),
  ...onPages('loadbalancer', {
    path: `${project}/load-balancers`,
    id: 'loadbalancer',
    title: 'Load balancers',
    name: 'edge',
    fields: {
      create: {
        network: 'Network',
        vip: 'Address in the network',
        listener: ['group', 'Listener 1'],
        'public-ip': 'Give it a public address',
      },
      update: { listener: ['group', 'Listener 1'], 'public-ip': 'Give it a public address' },
    },
  }),
  ...onPages('filestorage', {
    path: `${project}/file-storage`,
    id: 'filestorage',
    title: 'File storage',
    name: 'shared',
    fields: {
      create: {
        size: 'Size in GiB',
        class: 'Storage class',
        network: ['group', 'Networks'],
        'root-squash': 'root squash',
        'snapshot-policies': ['button', 'Add policy'],
        'default-snapshot-protection': 'Let the platform take daily snapshots',
      },
      update: {
        size: 'Size in GiB',
        network: ['group', 'Networks'],
        'root-squash': 'root squash',
        'snapshot-policies': ['button', 'Add policy'],
        'default-snapshot-protection': 'Let the platform take daily snapshots',
      },
    },
  }),
  ...onPages('sshca', {
    path: `${project}/ssh-authorities`,
    id: 'sshca',
    title: 'SSH authorities',
    name: 'team',
    fields: { create: { 'public-key': 'Public key' } },
  }),

  'image list': { page: `${project}/images`, control: heading('Images') },
  'image get': { page: `${project}/images/:region/:image`, control: heading('debian-13-amd64') },
  'image explain': { page: `${project}/images/:region/:image`, control: ['region', 'What it needs'] },
  'image history': { page: `${project}/images/:region/:image/history`, control: ['region', 'History'] },
  'image create': {
    page: `${project}/images?dialog=new`,
    control: dialog('Import image'),
    flags: {
      from: 'Address',
      architecture: 'Architecture',
      virtualization: 'Machines',
      'os-kernel': { why: 'linux is the only value' },
      'os-family': 'Family',
      'os-distro': 'Distribution',
      'os-version': 'Version',
      'os-variant': 'Variant',
      'os-codename': 'Code name',
      gpu: 'GPU vendor',
      software: 'Software',
      tag: 'Tags',
      description: 'Description',
    },
  },
  'image delete': { journey: 'network.e2e.ts', uses: 'Import image' },
  'flavor list': { page: `${project}/instances/new`, control: ['radio', /sim-standard-4/] },
  'flavor get': { page: `${project}/instances/new`, control: ['radio', /sim-standard-4/] },

  ...inList('project', {
    path: '/o/$org/projects',
    id: 'project',
    title: 'Projects',
    name: 'website',
    fields: { create: { ...described, group: ['group', 'Groups'] }, update: { ...named, group: ['group', 'Groups'] } },
  }),
  'project explain': {
    page: '/o/$org/projects?dialog=story&id=:project',
    control: ['region', 'What it needs'],
  },
  'project history': { page: '/o/$org/projects?dialog=story&id=:project', control: ['region', 'History'] },
  'project delete': {
    page: '/o/$org/projects?dialog=delete&id=:project',
    control: dialog('Delete website'),
    flags: { 'ignore-protection': 'Also delete instances that are protected' },
  },
  ...inList('group', {
    path: '/o/$org/groups',
    id: 'group',
    title: 'Groups',
    name: 'developers',
    fields: { create: { ...described, ...groupFields }, update: { ...named, ...groupFields } },
  }),
  'group add': { page: '/o/$org/groups?dialog=edit&id=:group', control: dialog(/./), flags: groupFields },
  'group remove': { page: '/o/$org/groups?dialog=edit&id=:group', control: dialog(/./), flags: groupFields },
  ...inList('user', {
    path: '/o/$org/users',
    id: 'user',
    title: 'People',
    name: 'eve@',
    fields: {
      create: { state: 'State', group: ['group', 'Groups'] },
    },
  }),
  'user update': {
    page: '/o/$org/users?dialog=edit&id=:user',
    control: dialog(/^Change eve@/),
    flags: { state: 'State', group: ['group', 'Groups'] },
  },
  'user delete': { page: '/o/$org/users?dialog=delete&id=:user', control: dialog(/^Delete eve@/) },
  'user invite': { journey: 'organization.e2e.ts', uses: 'Create invitation link' },
  ...inList('serviceaccount', {
    path: '/o/$org/service-accounts',
    id: 'serviceaccount',
    title: 'Service accounts',
    name: 'deploy',
    fields: { create: { ...described, group: ['group', 'Groups'] }, update: { ...named, group: ['group', 'Groups'] } },
  }),
  'serviceaccount rotate': {
    page: '/o/$org/service-accounts?dialog=rotate&id=:serviceaccount',
    control: dialog('Issue a new token for deploy'),
  },
  ...inList('loginprovider', {
    path: '/o/$org/login-providers',
    id: 'loginprovider',
    title: 'Login providers',
    name: 'corporate',
    fields: { create: { ...described, ...loginProviderFields }, update: { ...named, ...loginProviderFields } },
  }),
  'role list': { page: '/o/$org/roles', control: ['row', /^administrator/] },
  'role get': { journey: 'organization.e2e.ts', uses: 'Permissions of' },
  'quota list': { page: '/o/$org/quotas', control: ['meter', 'Servers'] },
  'quota get': { page: '/o/$org/quotas', control: ['meter', 'Servers'] },
  'quota update': { page: '/o/$org/quotas?dialog=change', control: dialog('Change the limits of the organization') },

  'organization list': { page: '/platform/organizations', control: heading('Organizations') },
  'organization watch': { page: '/platform/organizations', control: heading('Organizations') },
  'organization get': { page: '/platform/organizations/:organization', control: ['region', 'About'] },
  'organization create': {
    page: '/platform/organizations?dialog=new',
    control: dialog('Create organization'),
    flags: { ...described, type: 'Type', domain: { why: 'shown for the type “by mail domain”' }, ...shownForDomain() },
  },
  'organization update': {
    page: '/platform/organizations/:organization?dialog=edit',
    control: dialog(/^Change /),
    flags: { ...named, ...organizationFields },
  },
  'organization delete': {
    page: '/platform/organizations/:organization?dialog=delete',
    control: dialog(/^Delete /),
    flags: { 'ignore-protection': 'Also delete instances that are protected' },
  },
  'organization verify': { journey: 'operators.e2e.ts', uses: 'Check the domain' },

  'region list': { page: '/platform/regions', control: heading('Regions') },
  'region watch': { page: '/platform/regions', control: ['row', /^north/] },
  'region get': { page: '/platform/regions/:region', control: ['region', 'About'] },
  'region create': {
    page: '/platform/regions/new',
    control: ['group', 'Type of cloud'],
    flags: {
      ...described,
      ...regionFields,
      type: ['group', 'Type of cloud'],
      'clouds-yaml': { why: 'the form has the fields of the file, except its secrets' },
      cloud: { why: 'it chooses an entry of the file' },
    },
  },
  'region update': {
    page: '/platform/regions/:region/change',
    control: ['region', 'Connection'],
    flags: { ...named, ...regionFields, type: { why: 'the service refuses another type' } },
  },
  'region delete': { page: '/platform/regions/:region?dialog=delete', control: dialog(/^Delete /) },
  'region check': { journey: 'regions.e2e.ts', uses: 'Check the cloud' },
  'region simulation': {
    page: '/platform/regions/:region/simulation',
    control: heading(/^Simulation of/),
    flags: {
      set: 'Response time of each call',
      down: ['switch', 'The cloud answers'],
      up: ['switch', 'The cloud answers'],
      reset: ['button', 'Reset'],
    },
  },
  'region drift': { journey: 'simulation.e2e.ts', uses: 'Actions for' },
  'filestorageclass list': { page: '/platform/storage-classes', control: heading('Storage classes') },
  'filestorageclass get': { page: '/platform/storage-classes', control: ['row', /./] },
  'filestorageclass create': {
    page: '/platform/storage-classes?dialog=new',
    control: dialog('Create storage class'),
    flags: {
      ...described,
      provisioner: 'Provisioner',
      protocol: ['group', 'Protocols'],
      parallelism: 'Parallelism',
    },
  },
  'filestorageclass delete': { page: '/platform/storage-classes?dialog=delete&id=:class', control: dialog(/^Delete /) },
  'oauth2client list': { page: '/platform/applications', control: heading('Applications') },
  'oauth2client watch': { page: '/platform/applications', control: heading('Applications') },
  'oauth2client get': { page: '/platform/applications', control: ['row', /^wiki/] },
  'oauth2client create': {
    page: '/platform/applications?dialog=new',
    control: dialog('Register application'),
    flags: { ...described, ...applicationFields, type: 'Type' },
  },
  'oauth2client update': {
    page: '/platform/applications?dialog=edit&id=:oauth2client',
    control: dialog('Change wiki'),
    flags: { ...named, ...applicationFields },
  },
  'oauth2client delete': {
    page: '/platform/applications?dialog=delete&id=:oauth2client',
    control: dialog('Delete wiki'),
  },
  'oauth2client rotate-secret': {
    page: '/platform/applications?dialog=rotate&id=:oauth2client',
    control: dialog('Replace the secret of wiki'),
  },
  'globalrole list': { page: '/platform/operators', control: heading('Operators') },
  'globalrole grant': { page: '/platform/operators?dialog=new', control: dialog('Grant roles') },
  'globalrole revoke': { journey: 'operators.e2e.ts', uses: 'Revoke' },
  'finding list': { page: '/platform/findings', control: heading('Findings') },
  'finding get': { page: '/platform/findings', control: heading('Findings') },
  'saga list': { page: '/platform/sagas', control: heading('Sagas') },
  'saga get': { page: '/platform/sagas', control: heading('Sagas') },
  'controller list': { page: '/platform/controllers', control: heading('Controllers') },

  activity: { page: `${project}/activity`, control: heading(/^Activity/) },
  status: { page: `${project}/instances`, control: ['button', /^Problem/] },
  whoami: { page: '/settings', control: ['region', 'What you may do'] },
  'can-i': { page: '/settings', control: ['region', 'What you may do'] },
  passwd: { page: '/settings', control: ['button', 'Change the password'] },
  login: { journey: 'login.e2e.ts', uses: 'logIn' },
  logout: { journey: 'login.e2e.ts', uses: 'Log out' },
  apply: { why: files },
  diff: { why: files },
  delete: { why: files },
  completion: { why: machine },
  doctor: { why: machine },
  'context list': { why: machine },
  'context show': { why: machine },
  'context use': { why: 'the switchers of the organization and the project are in the frame of all pages' },
  'context set': { why: machine },
  'context rename': { why: machine },
  'context delete': { why: machine },
};

function shownForDomain(): Flags {
  const why = 'shown for the type “by mail domain”';
  return { 'provider-scope': { why }, 'provider-id': { why }, 'google-customer-id': { why } };
}
