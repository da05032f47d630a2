/** Timeouts and delays, with their reasons. */
export const waits = {
  /** An access token is renewed this long before its end, so that no request meets an expired one. */
  renewal_ms: 5 * 60_000,
  /** After a renewal that failed because the server was not reachable. */
  renewalRetry_ms: 10_000,
  /** The `Date` of an answer has whole seconds, so the clock of the server shows it for this long. */
  date_ms: 1_000,
  /** A hidden page keeps its streams for this long. Browsers have only six connections per server. */
  hidden_ms: 30_000,
  /** A list waits this long for a stream before it is read without one. Other tabs may have all of them. */
  place_ms: 250,
  /** A long list is drawn again at most this often: sorting and counting it takes a few milliseconds. */
  longList_ms: 250,
  /** A list that nothing shows any more is kept up to date for this long, for the way back. */
  linger_ms: 5_000,
  /** How often a list is read that got no stream of its own. */
  poll_ms: 10_000,
  /** The service sends a heartbeat every 15 seconds, so that the third one is missing. */
  silence_ms: 45_000,
  /** How long a change can be undone. Long enough to read the sentence, and to see the change on the page. */
  undo_ms: 10_000,
  /** Screen readers are told changes of a page at most this often. */
  announcement_ms: 5_000,
  /** A message about a finished action stays this long. */
  toast_ms: 6_000,
  /** Two keys, such as g and i, belong together if the second comes within this time. */
  keys_ms: 1_500,
  /** A page that is opened again waits this long for enough content to scroll to its former place. */
  content_ms: 10_000,
  /** The services search for a text that has not changed for this long. Most people write faster. */
  palette_ms: 250,
  /** How long a copy button says that it copied. */
  copied_ms: 1_500,
} as const;

export const limits = {
  /** Streams of one page. */
  streams: 2,
  /** Streams of all tabs of a browser. It has six connections per server; the others are for requests. */
  streamsOfBrowser: 4,
  /** Objects of a list that are shown before it is complete: more than a screen has. */
  firstRows: 60,
  /** New objects of a list that are drawn together: they are put in order within one frame. */
  newRows: 1_500,
  /** Events of a stream after which the page may draw. All of a long list at once would take many frames. */
  eventsTogether: 200,
  /** Objects from which a list is long. */
  longList: 1_000,
  /** Items of a list that is only a part of a page. */
  firstItems: 50,
  /** Grey rows of a list that is not known yet: about as many as most lists have. */
  skeletonRows: 6,
  /** Grey columns of a matrix that is not known yet. */
  skeletonColumns: 5,
  /** Refused reads that are remembered, so that the repetition of one is not reported again. */
  refusedReads: 1_000,
  /** Rows from which a table only renders the visible ones. */
  virtualRows: 60,
  /** Rows of a matrix that are drawn at first. Each has a box for every column. */
  matrixRows: 100,
  /** Requests that ask the service what can be done with the selected objects: for each of a few, or for each state. */
  askedSelection: 10,
  /** Values of a property that the menu of filters offers. The text of the filter finds the others. */
  filterChoices: 20,
  /** Objects that the palette reads with one request: the most that a service gives at once. */
  palettePage: 500,
  /** Requests of the palette for one kind. Of longer lists it shows what the service finds in them. */
  palettePages: 4,
  /** Words of a text for which the services search. Each is a request per long list. */
  paletteWords: 2,
  /** The longest text for which a service searches. */
  searchLength: 256,
  /** Requests of one bulk action at the same time. */
  bulkRequests: 4,
  /** Entries of an activity that are read at once from each service. */
  activityPage: 100,
  /** Entries of an activity that a page keeps of each service while it is open. */
  recent: 1_000,
  /** Bytes of a terminal that are kept, to compare them after a reconnect and to show them again. */
  terminalBytes: 1024 * 1024,
  /** Terminals of which the text is kept while other pages are shown. */
  terminals: 8,
  /** Lines of a terminal that one can scroll back. */
  terminalLines: 10_000,
  /** Attempts to save a form whose object gets another version, only by its status, between reading and writing. */
  saves: 3,
  /** Ids of visited resources that the browser remembers. */
  visited: 200,
} as const;
