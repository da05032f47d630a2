export { projectKindId } from './edges.ts';
export { refuseWhileUsed, waitWhileUsed, wordsOfUser } from './in-use.ts';
export { deletePrincipal, ownedBy, waitForOwned } from './owned.ts';
export { purposesOf, usersOf } from './users.ts';
export { serverUses } from './uses.ts';
export { propagationsFrom } from './walk.ts';
