import { preferences } from '../session/preferences.ts';
import { activityWords } from './activity.ts';
import { fileStorageWords } from './filestorage.ts';
import { identityWords } from './identity.ts';
import { imageWords } from './image.ts';
import { instanceWords } from './instance.ts';
import type { Language, Translated } from './language.ts';
import { loadBalancerWords } from './loadbalancer.ts';
import { networkWords } from './network.ts';
import { partWords } from './parts.ts';
import { quotaWords } from './quota.ts';
import { securityGroupWords } from './securitygroup.ts';
import { shellWords } from './shell.ts';
import { sshAuthorityWords } from './sshauthority.ts';

const english = {
  shell: shellWords,
  parts: partWords,
  instance: instanceWords,
  network: networkWords,
  securityGroup: securityGroupWords,
  loadBalancer: loadBalancerWords,
  fileStorage: fileStorageWords,
  sshAuthority: sshAuthorityWords,
  image: imageWords,
  quota: quotaWords,
  activity: activityWords,
  identity: identityWords,
} as const;

/**
 * Every text of the pages, by area, in the language of the user. Another language is another catalogue here. The texts
 * for operators are in `platform.ts` and `guide.ts`, and are loaded with their pages, because most users never see
 * them.
 */
const catalogues: Readonly<Record<Language, Translated<typeof english>>> = { en: english };

export const words = catalogues[preferences().language];

export { count, number } from './count.ts';
