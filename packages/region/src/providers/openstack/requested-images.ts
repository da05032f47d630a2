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
  return (await allRequested(session, owner, requestId))[0];
}

/**
 * The same, and deletes the others. There are some where a list did not show the first image, so that a repeated call
 * made a second one.
 */
export async function keepRequested(
  session: Session,
  owner: string,
  requestId: string,
): Promise<glance.GlanceImage | undefined> {
  const [first, ...surplus] = await allRequested(session, owner, requestId);
  for (const { id } of surplus) await glance.deleteImage(session, id);
  return first;
}

async function allRequested(
  session: Session,
  owner: string,
  requestId: string,
): Promise<readonly glance.GlanceImage[]> {
  const properties = { [requestProperty]: requestId };
  const found = await glance.listImages(session, { owner, visibility: 'all', properties });
  return found.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
}

function rankOf({ created_at: time, id }: glance.GlanceImage): string {
  return `${time} ${id}`;
}
