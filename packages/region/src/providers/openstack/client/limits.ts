/** Bounds of the client, with their reasons. */
export const limits = {
  /** Connections to one service of a cloud. As many as calls of a region run at once by default. */
  connections: 64,
  /** A page of a thousand servers with all their details takes 4 MB. */
  answerBytes: 32 * 1024 * 1024,
  /** One attempt of a call that can be sent again. Others get the whole time: gateways give up after 60 s as a rule. */
  attempt_ms: 30_000,
  /** A whole call, repetitions and pauses included. A caller of the API may wait for it. */
  call_ms: 60_000,
  /** Repetitions of one call, after the first attempt. With their pauses they hide the restart of a service. */
  repetitions: 4,
  /** First pause between attempts. Each next one is twice as long. */
  pauseMin_ms: 250,
  /** A longer `Retry-After` is left to the controller, which has other things to do meanwhile. */
  retryAfter_ms: 20_000,
  /** The items of a page. Nova and Glance allow no more by default. */
  pageItems: 1_000,
  /** The pages of one list. A project with more than a million things in one list is a mistake. */
  pages: 1_000,
  /** Principals whose tokens are kept. A token with its addresses takes about a kilobyte. */
  tokens: 10_000,
  /** A token is renewed when so much of its life is left. */
  tokenMargin_ms: 5 * 60_000,
  /** How long the answer about the versions of a service holds. Clouds are upgraded while we run. */
  versions_ms: 3600_000,
  /** For a connection to the proxy of a console. A user waits for it. */
  dial_ms: 15_000,
  /** So much of the words of the cloud is kept for operators. */
  words: 1_000,
} as const;
