export { fileStorageControllers } from './file-storages.ts';
export { identityControllers } from './identities.ts';
export { loadBalancerControllers } from './load-balancers.ts';
export { networkControllers } from './networks.ts';
export { securityGroupControllers } from './security-groups.ts';
export { serverControllers } from './servers.ts';
export { sshCertificateAuthorityControllers } from './ssh-certificate-authorities.ts';
