/**
 * The gate of a lot: what a provider is to the real services. Opening twice and closing what is closed are harmless.
 */
export interface Gate {
  /** Whether the car may pass by now; asking begins to let it. */
  admit(permitId: string, plate: string): Promise<boolean>;
  expel(permitId: string): Promise<void>;
}

/** A gate that takes a moment to learn a plate, as real ones do. */
export class SimulatedGate implements Gate {
  readonly #known = new Map<string, string>();

  admit(permitId: string, plate: string): Promise<boolean> {
    const known = this.#known.get(permitId) === plate;
    this.#known.set(permitId, plate);
    return Promise.resolve(known);
  }

  expel(permitId: string): Promise<void> {
    this.#known.delete(permitId);
    return Promise.resolve();
  }

  /** The plates that may pass. */
  get plates(): readonly string[] {
    return [...this.#known.values()];
  }
}
