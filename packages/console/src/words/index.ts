import { activityWords } from './activity.ts';
import { fileStorageWords } from './filestorage.ts';
import { identityWords } from './identity.ts';
import { imageWords } from './image.ts';
import { instanceWords } from './instance.ts';
import { loadBalancerWords } from './loadbalancer.ts';
import { networkWords } from './network.ts';
import { partWords } from './parts.ts';
import { platformWords } from './platform.ts';
import { quotaWords } from './quota.ts';
import { securityGroupWords } from './securitygroup.ts';
import { shellWords } from './shell.ts';
import { sshAuthorityWords } from './sshauthority.ts';

/** Every text of the pages, by area. Another language is another object of this type. */
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
  platform: platformWords,
} as const;

const numbers = new Intl.NumberFormat('en');
const plurals = new Intl.PluralRules('en');

export function number(value: number): string {
  return numbers.format(value);
}

/** @example count(3, 'instance', 'instances') // 3 instances */
export function count(value: number, one: string, other: string): string {
  return `${number(value)} ${plurals.select(value) === 'one' ? one : other}`;
}
