import { activityWords } from './activity.ts';
import { fileStorageWords } from './filestorage.ts';
import { identityWords } from './identity.ts';
import { imageWords } from './image.ts';
import { instanceWords } from './instance.ts';
import { loadBalancerWords } from './loadbalancer.ts';
import { networkWords } from './network.ts';
import { partWords } from './parts.ts';
import { quotaWords } from './quota.ts';
import { securityGroupWords } from './securitygroup.ts';
import { shellWords } from './shell.ts';
import { sshAuthorityWords } from './sshauthority.ts';

/**
 * Every text of the pages, by area. Another language is another object of this type. The texts for operators are in
 * `platform.ts` and `guide.ts`, and are loaded with their pages, because most users never see them.
 */
export const words = {
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

export { count, number } from './count.ts';
