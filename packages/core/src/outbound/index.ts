export { Answers, type Answer } from './answers.ts';
export { guardedFetch, type GuardedRequest, type GuardOptions } from './guarded-fetch.ts';
export { isPublicAddress, lookupAllowed } from './public-address.ts';
