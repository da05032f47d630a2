export { absentCalls } from './absent.ts';
export type { CallEvent, OnBehalf, ServiceCall, ServiceCalls, WatchOptions } from './calls.ts';
export {
  httpChannel,
  type ChannelAnswer,
  type ChannelLine,
  type ChannelOptions,
  type ChannelRequest,
  type ChannelStream,
  type HttpChannel,
  type TlsIdentity,
} from './channel.ts';
export { converted } from './converted.ts';
export { httpCalls, reaching, type HttpCallsOptions } from './http.ts';
export { localCalls, type LocalCallsOptions } from './local.ts';
export { answeredProblem, fieldsOf, parseJson, unavailable } from './refusal.ts';
export { watchedOwners, type ShownOwner, type WatchedOwners } from './owners.ts';
export { watchedRelated } from './related.ts';
export { typedCalls, unlessMissing, type Change, type TypedCalls } from './typed.ts';
export { WatchedObjects, type WatchedChange, type WatchedOptions } from './watched.ts';
