import { openMemoryStore } from '@unikorn/core/store/sqlite';

import { projectOf, startCloud, type Asked, type Given } from './client/cloud.fixture.ts';
import { OpenstackImages } from './images.ts';
import { openstackKinds } from './kinds.ts';
import { Snapshots } from './snapshots.ts';
import { Uploads } from './uploads.ts';

type Fields = Record<string, unknown>;

export interface FakeImage {
  readonly id: string;
  readonly owner: string;
  readonly members: Map<string, string>;
  fields: Fields;
  /** The image as the upload of its data has read it. Glance saves it as a whole at the end. */
  upload?: Fields;
}

const fakeServer = {
  id: 'server',
  name: 'server',
  status: 'ACTIVE',
  created: '2026-01-01T00:00:00Z',
  metadata: {},
  addresses: {},
  image: null,
  'OS-EXT-STS:task_state': null,
  'OS-SRV-USG:launched_at': null,
};

/** Properties of the image that the server runs on. Nova copies them to a snapshot, where the request has no others. */
const ofBootedImage = { 'unikorn:description': 'the image of the server' };

/** A call that is not carried out, one that is not answered, a list that shows nothing, or a call that comes twice. */
export type Disturbance = 'refused' | 'lost' | 'stale' | 'repeated';

/**
 * As much of Glance as images need, and the snapshots of Nova, on a socket. The region's project is `region`, and the
 * server is in the project `tenant`.
 */
export async function startGlance() {
  const images: FakeImage[] = [];
  /** The ids of deleted images. Glance does not take them again. */
  const deleted = new Set<string>();
  /** The images of the servers of each project. */
  const servers = new Map<string, string[]>();
  let methods = ['web-download'];
  let calls = 0;
  let disturbed: { readonly number: number; readonly how: Disturbance } | undefined;
  const projects = new Map<string, string>();

  function add(owner: string, { id = `image-${images.length + 1}`, ...fields }: Fields & { id?: string }): FakeImage {
    const image: FakeImage = {
      id,
      owner,
      members: new Map(),
      fields: { status: 'queued', min_disk: 0, min_ram: 0, created_at: '2026-01-01T00:00:00Z', ...fields },
    };
    images.push(image);
    return image;
  }

  const isVisible = ({ owner, members, fields }: FakeImage, project: string) =>
    owner === project ||
    fields['visibility'] === 'public' ||
    (fields['visibility'] === 'shared' && members.has(project));
  const isListed = (image: FakeImage, project: string) =>
    isVisible(image, project) && (image.owner === project || image.members.get(project) === 'accepted');
  const shown = ({ id, owner, fields }: FakeImage): Fields => ({ ...fields, id, owner });

  function answer({ method, path, query, body, token }: Asked): Given {
    const project = projects.get(token ?? '') ?? '';
    if (method !== 'PUT' && /[\u{10000}-\u{10FFFF}]/u.test(JSON.stringify(body ?? '')))
      return { status: 400, body: {} };
    if (path.includes('/action')) {
      const { name, metadata } = (body as { createImage: { name: string; metadata: Fields } }).createImage;
      const made = add(project, { name, ...ofBootedImage, ...metadata, visibility: 'private' });
      made.upload = { ...made.fields };
      return { status: 202, body: { image_id: made.id } };
    }
    if (path.startsWith('/compute/'))
      return { body: { servers: servers.get(project)?.includes(query.get('image') ?? '') ? [fakeServer] : [] } };
    const [, id, part, member] = /^\/image\/v2\/images(?:\/([^/?]+))?(?:\/([^/?]+))?(?:\/([^/?]+))?/.exec(path) ?? [];
    if (path.endsWith('/info/import')) return { body: { 'import-methods': { value: methods } } };
    if (id === undefined && method === 'POST') {
      const fields = body as Fields & { id?: string };
      if (fields.id !== undefined && (deleted.has(fields.id) || images.some((one) => one.id === fields.id)))
        return { status: 409, body: {} };
      return { status: 201, body: shown(add(project, fields)) };
    }
    if (id === undefined) {
      const filters = [...query].filter(([name]) => name.startsWith('unikorn:'));
      const found = images.filter(
        (image) =>
          isListed(image, project) &&
          (query.get('owner') ?? image.owner) === image.owner &&
          filters.every(([name, value]) => image.fields[name] === value),
      );
      return { body: { images: found.map(shown) } };
    }
    const image = images.find((one) => one.id === id);
    if (!image || !isVisible(image, project)) return { status: 404, body: {} };
    if (part === 'import') {
      if (image.fields['status'] !== 'queued') return { status: 409, body: {} };
      if ((body as { method: { uri: string } }).method.uri.includes('refused')) return { status: 400, body: {} };
      image.fields['status'] = 'importing';
      return { status: 202, body: {} };
    }
    if (part === 'file') {
      if (image.fields['status'] !== 'queued') return { status: 409, body: {} };
      Object.assign(image.fields, { status: 'active', size: String(body).length });
      return { status: 204 };
    }
    if (part === 'members') return membership(image, { method, body, member });
    if (method === 'PATCH') {
      for (const { path: name, value } of body as { path: string; value: unknown }[])
        image.fields[name.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')] = value;
    }
    if (method === 'DELETE') {
      images.splice(images.indexOf(image), 1);
      deleted.add(image.id);
      return { status: 204 };
    }
    return { body: shown(image) };
  }

  const cloud = await startCloud({
    login: (asked) => {
      projects.set(`token-${projects.size + 1}`, projectOf(asked));
      return undefined;
    },
    answer: (asked) => {
      const how = (calls += 1) === disturbed?.number ? disturbed.how : undefined;
      if (how === 'refused') return { status: 500, body: {} };
      if (how === 'stale' && asked.method === 'GET') return { body: { images: [] } };
      const given = answer(asked);
      if (how === 'repeated') return { status: 400, body: 'Image status transition from deleted to deleted' };
      return how === 'lost' ? 'drop' : given;
    },
  });
  const { world } = cloud;
  const store = openMemoryStore({ world, kinds: openstackKinds });
  const sessionIn = (id: string) =>
    cloud.cloud.session({
      credential: { method: 'password', user: { id: 'u' }, password: 'hidden' },
      scope: { project: { id } },
    });
  const parts = {
    region: () => Promise.resolve(sessionIn('region')),
    manager: (projectId: string) => Promise.resolve(sessionIn(projectId)),
  };
  return {
    images,
    servers,
    store,
    setImportMethods: (...values: string[]) => (methods = values),
    world,
    asked: cloud.asked,
    calls: () => calls,
    disturb: (number: number, how: Disturbance) => (disturbed = { number: calls + number, how }),
    /** Lets the uploads end: Glance saves what each of them has read at its beginning. */
    finishUploads: () => {
      for (const image of images) {
        if (image.upload) image.fields = { ...image.upload, status: 'active' };
        delete image.upload;
      }
    },
    tenant: { projectId: 'tenant', session: sessionIn('tenant') },
    /** The images as a process that has just started sees them. */
    open: () =>
      new OpenstackImages({
        ...parts,
        released: () => Promise.resolve(),
        projectsOf: () => Promise.resolve(['tenant']),
        uploads: new Uploads({ store, world, regionId: 'r', region: parts.region, allows: () => true }),
        snapshots: new Snapshots({ store, world, regionId: 'r', ...parts }),
      }),
    stop: async () => {
      await cloud.stop();
      await store.close();
    },
  };
}

function membership(
  { members, fields }: FakeImage,
  { method, body, member }: Pick<Asked, 'method' | 'body'> & { readonly member: string | undefined },
): Given {
  const written = (body ?? {}) as { member?: string; status?: string };
  if (method === 'GET')
    return { body: { members: [...members].map(([member_id, status]) => ({ member_id, status })) } };
  if (method === 'POST') {
    if (fields['visibility'] !== 'shared') return { status: 403, body: {} };
    if (members.has(written.member ?? '')) return { status: 409, body: {} };
    members.set(written.member ?? '', 'pending');
  } else members.set(member ?? '', written.status ?? '');
  return { body: {} };
}
