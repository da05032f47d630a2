import { noRoom } from '@unikorn/core/http';

import type { Images } from '../../provider/index.ts';

/** Refuses one more image when an organization has reached its limit in the region. */
export async function demandImageRoom(
  images: Pick<Images, 'list'>,
  organizationId: string,
  most: number,
): Promise<void> {
  const owned = await images.list({ ownedBy: [organizationId] });
  if (owned.length >= most) throw noRoom({ words: 'image', where: 'organization', id: organizationId, most });
}
