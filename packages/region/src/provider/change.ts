/** A call that made, changed or removed something in a cloud. */
export interface CloudChange {
  /** Such as `creating the network`. */
  readonly doing: string;
  /** The number of the call in the logs of the cloud. */
  readonly requestId: string;
}
