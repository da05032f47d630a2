import { shortPatience_ms, type Product } from './running.fixture.ts';

/** A region in which tests make things, and what there is to make them of. */
export interface TestRegion {
  readonly regionId: string;
  readonly flavorId: string;
  readonly otherFlavorId: string;
  readonly imageId: string;
  readonly otherImageId: string;
  /** How long one operation may take. */
  readonly patience_ms: number;
}

/** The first simulated region of the demo. */
export function simulatedRegion({ credentials }: Product): TestRegion {
  const { regionId = '', flavorId = '', imageId = '' } = credentials;
  return {
    regionId,
    flavorId,
    otherFlavorId: '11111111-1111-1111-1111-111111111111',
    imageId,
    otherImageId: '33333333-3333-3333-3333-333333333333',
    patience_ms: shortPatience_ms,
  };
}
