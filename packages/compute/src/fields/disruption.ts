/** The effect of a change on a running instance, from none to the worst. */
export const disruptions = ['none', 'in-place', 'restart', 'rebuild', 'recreate'] as const;
export type Disruption = (typeof disruptions)[number];

/** The effect of a change of a field on the server. */
export interface Effect {
  readonly disruption: Disruption;
  /** The data that is lost. */
  readonly loses: readonly string[];
}

const rootDisk = 'the root disk';
export const publicAddress = 'the public address';

/** How a change of a field reaches the server. The rows of the field table choose from these. */
export const effectOf = {
  /** Region changes the server while it runs. */
  'in-place': { disruption: 'in-place', loses: [] },
  /** Region replaces the root disk. Everything else stays. */
  rebuild: { disruption: 'rebuild', loses: [rootDisk] },
  /**
   * The server is deleted, and a new one is created. The new one requests the same private address, and gets it unless
   * another machine has taken it.
   */
  recreate: { disruption: 'recreate', loses: [rootDisk, publicAddress, 'the MAC address'] },
} as const satisfies Readonly<Partial<Record<Disruption, Effect>>>;
