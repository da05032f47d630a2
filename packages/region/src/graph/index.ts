export { edges, projectKindId, type Edge, type KindId } from './edges.ts';
export { refuseWhileUsed } from './in-use.ts';
export { fileStorageUses, identityUses, serverUses } from './uses.ts';
export { deletionTarget, goesWith, propagationsFrom, quotasOf, teardownOrder, usersOf, waitsFor } from './walk.ts';
