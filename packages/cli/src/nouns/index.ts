import { filestorage } from './filestorage.ts';
import { filestorageclass } from './filestorageclass.ts';
import { flavor } from './flavor.ts';
import { group } from './group.ts';
import { image } from './image.ts';
import { instance } from './instance.ts';
import { loadbalancer } from './loadbalancer.ts';
import { loginprovider } from './loginprovider.ts';
import { network } from './network.ts';
import type { Noun } from './noun.ts';
import { oauth2client } from './oauth2client.ts';
import { organization } from './organization.ts';
import { project } from './project.ts';
import { region } from './region.ts';
import { role } from './role.ts';
import { securitygroup } from './securitygroup.ts';
import { serviceaccount } from './serviceaccount.ts';
import { sshca } from './sshca.ts';
import { user } from './user.ts';

/** Every noun, in the order of help. */
export const nouns: readonly Noun[] = [
  instance,
  network,
  securitygroup,
  loadbalancer,
  filestorage,
  filestorageclass,
  sshca,
  image,
  flavor,
  region,
  organization,
  project,
  group,
  user,
  serviceaccount,
  loginprovider,
  oauth2client,
  role,
];

/** The noun with this name, plural or alias. */
export function nounNamed(name: string): Noun {
  const found = nouns.find((noun) => noun.name === name || noun.plural === name || noun.aliases?.includes(name));
  if (!found) throw new TypeError(`there is no noun ${name}`);
  return found;
}
