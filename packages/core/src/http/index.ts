export { actionsRoute, ActionsRead, allowedActions, foreseeDeletion, type Foreseen, type Refused } from './actions.ts';
export { AuditRecord } from './audit.ts';
export type { MetricsAccess } from './standard.ts';
export { collectionRoute, type CollectionDeclaration } from './collection.ts';
export type { ReadinessChecks, Service } from './compiled.ts';
export type { CorsOptions } from './cors.ts';
export { controllerRoutes } from './controllers.ts';
export { etagOf, tagOf } from './etag.ts';
export { explainItemRoute, explainRoute } from './explain.ts';
export type { AuditListener } from './finish.ts';
export { IdempotencyRecord } from './idempotency-record.ts';
export type { Item, ItemAccess } from './item-access.ts';
export { demandVersion, itemRoute, readItemRoute } from './item.ts';
export { madeBefore, objectIdFor, sagaIdFor } from './made-before.ts';
export { watchStandstill, type Standstill } from './standstill.ts';
export { watchPressure, type Pressure, type PressureLimits, type Vitals } from './pressure.ts';
export type { HttpLimits } from './limits.ts';
export { lineRoute, LineRead } from './line.ts';
export { listRoute } from './list.ts';
export { pagesOf } from './page.ts';
export { demandRoom, noRoom } from './room.ts';
export {
  allowsOn,
  IdFilter,
  projectItem,
  projectView,
  storedTags,
  TagFilter,
  type ListFilter,
} from './project-resources.ts';
export type { Answer, Asking, Reply, Request, Runtime, ServerEvent, StreamedReply } from './request.ts';
export { route, type Method, type RawRoute, type RawShape, type Route, type Security } from './route.ts';
export { sagaRoutes } from './sagas.ts';
export { ErrorBody } from './schemas.ts';
export { isFound, searched, SearchFilter, type Known } from './search.ts';
export { standardRoutes } from './standard.ts';
export { jsonArray, jsonObject } from './streamed.ts';
export { createServer, type ProbedService, type ServerOptions } from './server.ts';
export { listenForServices, type ServiceListener, type ServiceListenerOptions } from './service-listener.ts';
export { scopedView, type View } from './view.ts';
export { watchAdditions, watchCollection } from './watch.ts';
