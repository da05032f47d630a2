/** The exit codes of commands. Help, the reference and the tests use this list. */
export const exitCodes = {
  done: { code: 0, meaning: 'success' },
  unexpected: { code: 1, meaning: 'an unexpected error; --debug shows details' },
  different: { code: 1, meaning: 'diff only: there are differences' },
  incomplete: {
    code: 1,
    meaning: 'region check: the cloud lacks something that the region needs; organization verify: not verified',
  },
  usage: {
    code: 2,
    meaning: 'wrong usage: a flag, an argument or a file is not valid; nothing was changed',
  },
  refused: {
    code: 3,
    meaning: 'the control plane refused the request, or the operation failed',
  },
  notFound: { code: 4, meaning: 'the resource does not exist, or you may not see it' },
  forbidden: { code: 5, meaning: 'you are not logged in, or do not have permission' },
  unreachable: { code: 6, meaning: 'the control plane cannot be reached' },
  timedOut: { code: 7, meaning: 'the operation took longer than --timeout; it continues in the background' },
  partial: { code: 8, meaning: 'the result is not complete, because a service did not answer; the rest is printed' },
  interrupted: { code: 130, meaning: 'Ctrl-C' },
} as const;

export type Ending = keyof typeof exitCodes;
