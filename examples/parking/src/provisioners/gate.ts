/** The gate of a lot: it is what a provider is to the real services. Both operations can be repeated. */
export interface Gate {
  /** Whether the car may pass now. The first call starts the registration. */
  admit(permitId: string, plate: string): Promise<boolean>;
  expel(permitId: string): Promise<void>;
}

/** A gate that needs a moment to register a plate, as real ones do. */
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
