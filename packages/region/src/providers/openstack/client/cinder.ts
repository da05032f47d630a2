import { Type, type Static } from 'typebox';

import { allOf, listShape } from './pages.ts';
import { segment, type Session } from './session.ts';
import { Nullable } from './shape.ts';

const service = 'block-storage';

const VolumeType = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Nullable(Type.String())),
  is_public: Type.Boolean(),
});
export type VolumeType = Readonly<Static<typeof VolumeType>>;

const types = listShape('volume_types', VolumeType);

export function listVolumeTypes(session: Session): Promise<readonly VolumeType[]> {
  return allOf(session, { service, path: '/types', doing: 'listing the volume types' }, types);
}

/** Sets limits of a project; -1 is no limit. */
export function updateVolumeQuota(
  session: Session,
  projectId: string,
  quota: Readonly<Record<string, number>>,
): Promise<void> {
  const path = `/os-quota-sets/${segment(projectId)}`;
  const body = { quota_set: quota };
  return session.tell({ service, method: 'PUT', path, body, doing: 'setting the quotas of volumes' });
}
