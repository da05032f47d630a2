import { Type, type Static } from 'typebox';

import { defined } from '@unikorn/core/defined';

import { named, novaNamePattern } from './names.ts';
import { allOf, listingOf, listShape, wholeOf, type Listing } from './pages.ts';
import { segment, type Session } from './session.ts';
import { Nullable, shapeOf } from './shape.ts';

const service = 'compute';

const Flavor = Type.Object({
  id: Type.String(),
  name: Type.String(),
  vcpus: Type.Integer(),
  /** In MiB. */
  ram: Type.Integer(),
  /** In GiB. */
  disk: Type.Integer(),
  'os-flavor-access:is_public': Type.Boolean(),
  'OS-FLV-DISABLED:disabled': Type.Optional(Type.Boolean()),
  extra_specs: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type Flavor = Readonly<Static<typeof Flavor>>;

const Address = Type.Object({
  addr: Type.String(),
  version: Type.Integer(),
  'OS-EXT-IPS:type': Type.Optional(Type.String()),
  'OS-EXT-IPS-MAC:mac_addr': Type.Optional(Type.String()),
});

export type Address = Readonly<Static<typeof Address>>;

const Server = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  created: Type.String(),
  // Only what we read of it: to check all keys of all servers takes longer than to parse them.
  metadata: Type.Object({
    serverID: Type.Optional(Type.String()),
    'region:launched_at': Type.Optional(Type.String()),
  }),
  addresses: Type.Record(Type.String(), Type.Array(Address)),
  /** An empty text for a server that boots from a volume. */
  image: Type.Union([Type.Object({ id: Type.String() }), Type.Literal(''), Type.Null()]),
  'OS-EXT-STS:task_state': Nullable(Type.String()),
  'OS-EXT-STS:vm_state': Type.Optional(Nullable(Type.String())),
  'OS-EXT-STS:power_state': Type.Optional(Nullable(Type.Integer())),
  'OS-SRV-USG:launched_at': Nullable(Type.String()),
  /** What its flavor was like when it was made, without an id. */
  flavor: Type.Optional(Type.Object({ original_name: Type.Optional(Type.String()) })),
  fault: Type.Optional(Type.Object({ code: Type.Optional(Type.Integer()), message: Type.String() })),
});
/** Without the id of its flavor: Nova tells only what the flavor was like. */
export type Server = Readonly<Static<typeof Server>>;

const ServerGroup = Type.Object({ id: Type.String(), name: Type.String(), policy: Type.String() });
export type ServerGroup = Readonly<Static<typeof ServerGroup>>;

const Keypair = Type.Object({ name: Type.String(), public_key: Type.String(), fingerprint: Type.String() });
export type Keypair = Readonly<Static<typeof Keypair>>;

const flavors = listShape('flavors', Flavor);
const servers = listShape('servers', Server);
const oneServer = shapeOf(Type.Object({ server: Server }));
const newServer = shapeOf(Type.Object({ server: Type.Object({ id: Type.String() }) }));
const groups = listShape('server_groups', ServerGroup);
const oneGroup = shapeOf(Type.Object({ server_group: ServerGroup }));
const oneKeypair = shapeOf(Type.Object({ keypair: Keypair }));
const output = shapeOf(Type.Object({ output: Type.String() }));
const remoteConsole = shapeOf(Type.Object({ remote_console: Type.Object({ url: Type.String() }) }));
const newImage = shapeOf(Type.Object({ image_id: Type.String() }));

/** The flavors that the project may use. */
export function listFlavors(session: Session): Promise<readonly Flavor[]> {
  return allOf(session, { service, path: '/flavors/detail', doing: 'listing the flavors' }, flavors);
}

/** All servers of the project, with their details. */
export async function listServers(session: Session): Promise<readonly Server[]> {
  return (await readServers(session)).items();
}

/** The same list, not parsed yet. */
export function readServers(session: Session): Promise<Listing<Server>> {
  return listingOf(session, { service, path: '/servers/detail', doing: 'listing the servers' }, servers);
}

/** The servers of the project with exactly this name. Nova allows several. */
export async function serversNamed(session: Session, name: string): Promise<readonly Server[]> {
  const query = { name: novaNamePattern(name) };
  const doing = 'looking for the server';
  return named(await allOf(session, { service, path: '/servers/detail', query, doing }, servers), name);
}

/** Whether servers of the project were made from this image, or rebuilt from it. */
export async function usesImage(session: Session, imageId: string): Promise<boolean> {
  const query = { image: imageId, limit: 1 };
  const doing = 'looking for servers of the image';
  return (await wholeOf(session, { service, path: '/servers/detail', query, doing }, servers)).length > 0;
}

export async function getServer(session: Session, id: string): Promise<Server | undefined> {
  const call = { service, method: 'GET', path: `/servers/${segment(id)}`, doing: 'reading the server' } as const;
  return (await session.find(call, oneServer))?.server;
}

export interface NewServer {
  readonly name: string;
  readonly imageRef: string;
  readonly flavorRef: string;
  readonly portId: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** In base64. */
  readonly userData?: string;
  readonly keyName?: string;
  /** The host that it must run on. */
  readonly hypervisorHostname?: string;
}

/** Returns as soon as Nova has accepted it. The answer has an id and nothing else of use. */
export async function createServer(session: Session, server: NewServer): Promise<string> {
  const { name, imageRef, flavorRef, portId, metadata, userData, keyName, hypervisorHostname } = server;
  const body = {
    server: {
      name,
      imageRef,
      flavorRef,
      networks: [{ port: portId }],
      metadata,
      ...defined({ user_data: userData, key_name: keyName, hypervisor_hostname: hypervisorHostname }),
    },
  };
  const call = { service, method: 'POST', path: '/servers', body, doing: 'creating the server' } as const;
  return (await session.ask(call, newServer)).server.id;
}

/** Returns as soon as Nova has accepted it. */
export function deleteServer(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/servers/${segment(id)}`, doing: 'deleting the server' });
}

const powerActions = {
  start: { body: { 'os-start': null }, doing: 'starting the server' },
  stop: { body: { 'os-stop': null }, doing: 'stopping the server' },
  softreboot: { body: { reboot: { type: 'SOFT' } }, doing: 'rebooting the server' },
  hardreboot: { body: { reboot: { type: 'HARD' } }, doing: 'rebooting the server' },
} as const;

export function switchServer(session: Session, id: string, verb: keyof typeof powerActions): Promise<void> {
  const { body, doing } = powerActions[verb];
  return session.tell({ service, method: 'POST', path: actionPath(id), body, doing });
}

/** Connects a port to a server that has lost its own. Nova refuses it while the server is busy. */
export function attachPort(session: Session, id: string, portId: string): Promise<void> {
  const path = `/servers/${segment(id)}/os-interface`;
  const body = { interfaceAttachment: { port_id: portId } };
  return session.tell({ service, method: 'POST', path, body, doing: 'connecting the server to its network' });
}

/** Key and user data are left out, so that Nova keeps those it has. */
export function rebuildServer(session: Session, id: string, imageRef: string): Promise<void> {
  const body = { rebuild: { imageRef } };
  return session.tell({ service, method: 'POST', path: actionPath(id), body, doing: 'rebuilding the server' });
}

/** Adds to the metadata of a server. Others of its values stay. */
export function addMetadata(session: Session, id: string, metadata: Readonly<Record<string, string>>): Promise<void> {
  const path = `/servers/${segment(id)}/metadata`;
  const doing = 'describing the server';
  return session.tell({ service, method: 'POST', path, body: { metadata }, doing, repeatable: true });
}

/** Makes an image of the disk and answers with its id. */
export async function createServerImage(
  session: Session,
  id: string,
  { name, metadata }: { readonly name: string; readonly metadata: Readonly<Record<string, string>> },
): Promise<string> {
  const body = { createImage: { name, metadata } };
  const call = { service, method: 'POST', path: actionPath(id), body, doing: 'making the snapshot' } as const;
  return (await session.ask(call, newImage)).image_id;
}

/** The last lines, or all. */
export async function consoleOutput(session: Session, id: string, lines?: number): Promise<string> {
  const body = { 'os-getConsoleOutput': defined({ length: lines }) };
  const doing = 'reading the console';
  const call = { service, method: 'POST', path: actionPath(id), body, doing, repeatable: true } as const;
  return (await session.ask(call, output)).output;
}

export async function createConsole(session: Session, id: string): Promise<string> {
  const body = { remote_console: { protocol: 'vnc', type: 'novnc' } };
  const path = `/servers/${segment(id)}/remote-consoles`;
  const doing = 'opening a console';
  return (await session.ask({ service, method: 'POST', path, body, doing, repeatable: true }, remoteConsole))
    .remote_console.url;
}

/** The address of the proxy for the serial console, with a token that is valid for a few minutes. */
export async function createSerialConsole(session: Session, id: string): Promise<string> {
  const body = { remote_console: { protocol: 'serial', type: 'serial' } };
  const path = `/servers/${segment(id)}/remote-consoles`;
  const doing = 'opening the serial console';
  return (await session.ask({ service, method: 'POST', path, body, doing, repeatable: true }, remoteConsole))
    .remote_console.url;
}

function actionPath(id: string): string {
  return `/servers/${segment(id)}/action`;
}

/** Sets limits of a project; -1 is no limit. */
export function updateComputeQuota(
  session: Session,
  projectId: string,
  quota: Readonly<Record<string, number>>,
): Promise<void> {
  const path = `/os-quota-sets/${segment(projectId)}`;
  const body = { quota_set: { ...quota, force: true } };
  return session.tell({ service, method: 'PUT', path, body, doing: 'setting the quotas of compute' });
}

/** The server groups of exactly this name in the project. Nova allows several. */
export async function serverGroupsNamed(session: Session, name: string): Promise<readonly ServerGroup[]> {
  const doing = 'looking for the server group';
  // This list has an offset instead of a marker, and a project has one or two of them.
  return named(await wholeOf(session, { service, path: '/os-server-groups', doing }, groups), name);
}

export async function createServerGroup(
  session: Session,
  { name, policy }: { readonly name: string; readonly policy: string },
): Promise<ServerGroup> {
  const body = { server_group: { name, policy } };
  const doing = 'creating the server group';
  return (await session.ask({ service, method: 'POST', path: '/os-server-groups', body, doing }, oneGroup))
    .server_group;
}

export function deleteServerGroup(session: Session, id: string): Promise<void> {
  return session.remove({ service, path: `/os-server-groups/${segment(id)}`, doing: 'deleting the server group' });
}

/** Of the user of the session. */
export async function getKeypair(session: Session, name: string): Promise<Keypair | undefined> {
  const call = { service, method: 'GET', path: `/os-keypairs/${segment(name)}`, doing: 'reading the key' } as const;
  return (await session.find(call, oneKeypair))?.keypair;
}

export async function createKeypair(
  session: Session,
  { name, publicKey }: { readonly name: string; readonly publicKey: string },
): Promise<Keypair> {
  const body = { keypair: { name, type: 'ssh', public_key: publicKey } };
  const call = { service, method: 'POST', path: '/os-keypairs', body, doing: 'storing the key' } as const;
  return (await session.ask(call, oneKeypair)).keypair;
}

export function deleteKeypair(session: Session, name: string): Promise<void> {
  return session.remove({ service, path: `/os-keypairs/${segment(name)}`, doing: 'deleting the key' });
}
