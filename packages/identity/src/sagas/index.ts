export { seenState } from './stored.ts';
export { leaveAllGroups, writeServiceAccountSaga, writeUserSaga, type WriteServiceAccount, type WriteUser } from './write-member.ts';
