import { glance, type Session } from './client/index.ts';
import { requestProperty } from './image-properties.ts';

/**
 * The image of a request in a project, for images to which the cloud has given another id than the one that was asked
 * for. If there are several, because two processes made it at the same time, it is the first one for all of them.
 */
export async function findRequested(
  session: Session,
  owner: string,
  requestId: string,
): Promise<glance.GlanceImage | undefined> {
  const properties = { [requestProperty]: requestId };
  const found = await glance.listImages(session, { owner, visibility: 'all', properties });
  return found.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))[0];
}

function rankOf({ created_at: time, id }: glance.GlanceImage): string {
  return `${time} ${id}`;
}
