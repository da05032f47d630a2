import type { Resource } from '../../kinds/index.ts';
import type { Predecessor } from '../feed.ts';

/**
 * The state of an object before a change. An event of Kubernetes only has the new state, so the old one is read from
 * the API server when the first watch with a selector needs it.
 */
export class RememberedPredecessor implements Predecessor {
  readonly #read: () => Promise<Resource | undefined>;
  #reading: Promise<void> | undefined;
  known = false;
  object: Resource | undefined;

  constructor(read: () => Promise<Resource | undefined>) {
    this.#read = read;
  }

  find(): Promise<void> {
    return (this.#reading ??= this.#find());
  }

  async #find(): Promise<void> {
    try {
      this.object = await this.#read();
      this.known = true;
    } catch (error) {
      // Another watch may try again.
      this.#reading = undefined;
      throw error;
    }
  }
}
