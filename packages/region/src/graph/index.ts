export { edges, projectKindId, type Edge, type KindId, type Trace } from './edges.ts';
export { refuseWhileUsed, waitWhileUsed, wordsOfUser } from './in-use.ts';
export { deletePrincipal, ownedBy, waitForOwned } from './owned.ts';
export { purposesOf, usersOf } from './users.ts';
export { fileStorageUses, identityUses, serverUses } from './uses.ts';
export { deletionTarget, goesWith, propagationsFrom, quotasOf, teardownOrder, userKindsOf, waitsFor } from './walk.ts';
