export { listedClaimants, watchedClaimants, type Claimants } from './claimants.ts';
export { linkMetrics } from './metrics.ts';
export { serverIdOf, serverResolver, type Resolution, type ResolverDeps, type ResolveServer } from './resolve.ts';
export { linkedInstance, linkTag } from './tag.ts';
