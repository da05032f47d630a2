/** What a command ends with, for scripts. The one list: help, the reference and the tests have it from here. */
export const exitCodes = {
  done: { code: 0, meaning: 'it is done' },
  unexpected: { code: 1, meaning: 'something nobody thought of; --debug shows more' },
  different: { code: 1, meaning: 'of diff: there are differences' },
  usage: {
    code: 2,
    meaning: 'the command was not understood, and nothing was changed: a flag, an argument or a file is wrong',
  },
  refused: {
    code: 3,
    meaning: 'it was refused, such as a value that the control plane does not take, or it was tried and failed',
  },
  notFound: { code: 4, meaning: 'there is no such thing, or you may not see it' },
  forbidden: { code: 5, meaning: 'you are not logged in, or may not do that' },
  unreachable: { code: 6, meaning: 'the control plane cannot be reached' },
  timedOut: { code: 7, meaning: 'it took longer than --timeout; it goes on without you' },
  interrupted: { code: 130, meaning: 'Ctrl-C' },
} as const;

export type Ending = keyof typeof exitCodes;
