export {
  leaveAllGroups,
  writeServiceAccountSaga,
  writeUserSaga,
  type WriteServiceAccount,
  type WriteUser,
} from './write-member.ts';
