export { explainFileStorage } from './file-storage.ts';
export { explainImage, askForImage } from './image.ts';
export { explainLoadBalancer } from './load-balancer.ts';
export type { Reading } from './needs.ts';
export { explainNetwork } from './network.ts';
export { regionNodeKinds, type RegionNodeKind } from './node-kinds.ts';
export { explainSecurityGroup } from './security-group.ts';
export { explainServer } from './server.ts';
export { explainSshCertificateAuthority } from './ssh-certificate-authority.ts';
