export { whileBusy } from './busy.ts';
export { serversWith } from './delegate.ts';
export { asked, attempted, outcomeOf } from './failures.ts';
export { isImplausibleLoss } from './implausible-loss.ts';
export { kubernetesRegions } from './kubernetes.ts';
export { openstackRegions } from './openstack.ts';
export { Providers, type Offer, type ProviderFactories } from './providers.ts';
export { folderSecrets, noSecrets, type SecretReference, type Secrets } from './secrets.ts';
export { isVisibleRegion, regionFor } from './visibility.ts';
