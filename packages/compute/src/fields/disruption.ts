/** What a change does to a running instance, from nothing to the worst. */
export const disruptions = ['none', 'in-place', 'restart', 'rebuild', 'recreate'] as const;
export type Disruption = (typeof disruptions)[number];

/** What a change of a field does to the server. */
export interface Effect {
  readonly disruption: Disruption;
  /** What is gone afterwards. */
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
   * The server is deleted, and a new one is created. The new one asks for the same private address, and gets it unless
   * another machine took it in between.
   */
  recreate: { disruption: 'recreate', loses: [rootDisk, publicAddress, 'the MAC address'] },
} as const satisfies Readonly<Partial<Record<Disruption, Effect>>>;
