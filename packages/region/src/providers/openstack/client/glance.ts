import type { Readable } from 'node:stream';

import { Type, type Static } from 'typebox';

import { isProviderFailure } from '../../../provider/index.ts';
import { allOf, listShape, wholeOf } from './pages.ts';
import { segment, type Session } from './session.ts';
import { Nullable, shapeOf } from './shape.ts';

const service = 'image';

/** Its properties are fields beside these, all of them texts. */
const Image = Type.Object({
  id: Type.String(),
  name: Type.Optional(Nullable(Type.String())),
  status: Type.String(),
  visibility: Type.String(),
  owner: Type.Optional(Nullable(Type.String())),
  created_at: Type.String(),
  /** Nova compares it with the disk of a flavor, in GiB. */
  min_disk: Type.Integer(),
  min_ram: Type.Integer(),
  size: Type.Optional(Nullable(Type.Integer())),
  virtual_size: Type.Optional(Nullable(Type.Integer())),
  tags: Type.Optional(Type.Array(Type.String())),
  disk_format: Type.Optional(Nullable(Type.String())),
});
export type GlanceImage = Readonly<Static<typeof Image>>;

const images = listShape('images', Image);
const oneImage = shapeOf(Image);
const Member = Type.Object({ member_id: Type.String(), status: Type.String() });
export type ImageMember = Readonly<Static<typeof Member>>;
const members = listShape('members', Member);
const importInfo = shapeOf(
  Type.Object({ 'import-methods': Type.Optional(Type.Object({ value: Type.Array(Type.String()) })) }),
);

/** A property of an image, where it is a text. */
export function propertyOf(image: GlanceImage, name: string): string | undefined {
  const value = Object.entries(image).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** All properties of an image whose name begins like this, by the rest of their name. */
export function propertiesBelow(image: GlanceImage, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(image).flatMap(([key, value]) =>
      key.startsWith(prefix) && typeof value === 'string' ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}

export interface ImageFilter {
  readonly visibility?: 'public' | 'private' | 'shared' | 'community' | 'all';
  readonly owner?: string;
  readonly tag?: string;
  /** Properties that must have exactly these values. */
  readonly properties?: Readonly<Record<string, string>>;
}

export function listImages(
  session: Session,
  { visibility, owner, tag, properties = {} }: ImageFilter,
): Promise<readonly GlanceImage[]> {
  const query = { ...properties, visibility, owner, tag };
  return allOf(session, { service, path: '/images', query, doing: 'listing the images' }, images);
}

export function getImage(session: Session, id: string): Promise<GlanceImage | undefined> {
  return session.find({ service, method: 'GET', path: imagePath(id), doing: 'reading the image' }, oneImage);
}

export interface NewImage {
  /** Glance takes the id that it is given, so a repeated creation meets a conflict and makes no second image. */
  readonly id?: string;
  readonly name: string;
  readonly visibility: 'public' | 'private' | 'shared' | 'community';
  readonly diskFormat: string;
  readonly tags?: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
}

/** An image without data yet. */
export function createImage(session: Session, image: NewImage): Promise<GlanceImage> {
  const { id, name, visibility, diskFormat, tags = [], properties } = image;
  const body = {
    ...properties,
    ...(id === undefined ? {} : { id }),
    name,
    visibility,
    disk_format: diskFormat,
    container_format: 'bare',
    tags,
  };
  return session.ask({ service, method: 'POST', path: '/images', body, doing: 'creating the image' }, oneImage);
}

/** The ways in which this cloud takes the data of images, such as `web-download`. */
export async function importMethods(session: Session): Promise<readonly string[]> {
  const call = { service, method: 'GET', path: '/info/import', doing: 'reading the ways of import' } as const;
  return (await session.find(call, importInfo))?.['import-methods']?.value ?? [];
}

/** Lets the cloud fetch the data itself. */
export function importImage(session: Session, id: string, uri: string): Promise<void> {
  const body = { method: { name: 'web-download', uri } };
  return session.tell({ service, method: 'POST', path: `${imagePath(id)}/import`, body, doing: 'importing the image' });
}

/** Sends the data from here. Glance refuses it with `conflict` if the image has data, or gets some at the moment. */
export function uploadImage(session: Session, id: string, data: Readable, deadline_ms: number): Promise<void> {
  return session.tell({
    service,
    method: 'PUT',
    path: `${imagePath(id)}/file`,
    data,
    contentType: 'application/octet-stream',
    doing: 'uploading the image',
    deadline_ms,
    repeatable: false,
  });
}

/** Sets fields and properties; undefined takes one away. */
export function updateImage(
  session: Session,
  image: GlanceImage,
  changes: Readonly<Record<string, string | undefined>>,
): Promise<GlanceImage> {
  const known = new Set(Object.keys(image));
  const patch = Object.entries(changes).flatMap(([name, value]) => {
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (value !== undefined) return [{ op: known.has(name) ? 'replace' : 'add', path, value }];
    return known.has(name) ? [{ op: 'remove', path }] : [];
  });
  return session.ask(
    {
      service,
      method: 'PATCH',
      path: imagePath(image.id),
      body: patch,
      contentType: 'application/openstack-images-v2.1-json-patch',
      doing: 'updating the image',
    },
    oneImage,
  );
}

/** The projects that may use an image that is `shared`. */
export function listImageMembers(session: Session, id: string): Promise<readonly ImageMember[]> {
  return wholeOf(
    session,
    { service, path: `${imagePath(id)}/members`, doing: 'listing the users of the image' },
    members,
  );
}

/** Lets a project use an image that is `shared`. It is not in the lists of that project before it is accepted there. */
export async function addImageMember(session: Session, id: string, projectId: string): Promise<void> {
  const call = { service, method: 'POST', path: `${imagePath(id)}/members`, doing: 'sharing the image' } as const;
  try {
    await session.tell({ ...call, body: { member: projectId } });
  } catch (error) {
    // It is a member already.
    if (!isProviderFailure(error, 'conflict')) throw error;
  }
}

/** Adds an image that another project shares to the lists of this one. */
export function acceptImage(session: Session, id: string, projectId: string): Promise<void> {
  const path = `${imagePath(id)}/members/${segment(projectId)}`;
  return session.tell({ service, method: 'PUT', path, body: { status: 'accepted' }, doing: 'accepting the image' });
}

/**
 * Fails with `in_use` while servers need it. Where a deletion is repeated while Glance carries out the first one,
 * Glance refuses the second one with 400. Then the image is read again.
 */
export async function deleteImage(session: Session, id: string): Promise<void> {
  try {
    await session.remove({ service, path: imagePath(id), doing: 'deleting the image' });
  } catch (error) {
    if (!isProviderFailure(error, 'invalid')) throw error;
    const left = await getImage(session, id);
    if (left && left.status !== 'deleted') throw error;
  }
}

function imagePath(id: string): string {
  return `/images/${segment(id)}`;
}
