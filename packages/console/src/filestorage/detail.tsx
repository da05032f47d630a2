import { useParams } from '@tanstack/react-router';

import type { FileStorage } from '@unikorn/sdk';

import { useNames, type NameOf } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Code } from '../parts/copy.tsx';
import { Fact, Section } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { liveResource } from '../parts/rows.tsx';
import { conditionOf } from '../parts/status.tsx';
import { Details, ResourcePage } from '../shell/resource-page.tsx';
import { number, words } from '../words/index.ts';
import { DeleteFileStorage, FileStorageForm } from './form.tsx';
import { useStorageClasses } from './queries.ts';
import { roundedBytes } from './rounded-bytes.ts';

const texts = words.fileStorage;

/** One file storage: its size and use, and how to mount it. */
export function FileStorageDetailPage() {
  const { org, project, id } = useParams({ from: '/o/$org/p/$project/file-storage/$id' });
  const { data: classes = [] } = useStorageClasses();
  const all = useLive('fileStorage', { organization: org, project });
  const names = useNames(org, project, []);
  return (
    <ResourcePage
      org={org}
      project={project}
      noun="file-storage"
      one={texts.one}
      id={id}
      path={`/api/v2/filestorage/${id}`}
      {...liveResource(all, id)}
      conditionOf={conditionOf}
      form={(storage, onClose) => <FileStorageForm org={org} project={project} storage={storage} onClose={onClose} />}
      remove={(storage, onClose, onDeleted) => (
        <DeleteFileStorage org={org} project={project} storage={storage} onClose={onClose} onDeleted={onDeleted} />
      )}
    >
      {(storage) => (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Details resource={storage}>
            <Fact name={texts.used}>{usageText(storage)}</Fact>
            <Fact name={texts.class}>
              {classes.find(({ metadata }) => metadata.id === storage.status.storageClassId)?.metadata.name ??
                storage.status.storageClassId}
            </Fact>
            <Fact name={texts.region}>{names.region(storage.status.regionId)}</Fact>
            <Fact name={texts.policies}>
              {(storage.spec.snapshotPolicies ?? [])
                .map(
                  ({ name, schedule, retention }) =>
                    `${name}: ${texts.policy(schedule.interval, number(retention.keep))}`,
                )
                .join('; ') || texts.noPolicies}
            </Fact>
          </Details>
          <Attachments storage={storage} networkOf={names.network} />
        </div>
      )}
    </ResourcePage>
  );
}

function usageText({ spec, status }: FileStorage): string {
  const size = texts.sizeText(number(spec.sizeGiB));
  const used = status.usage?.usedBytes;
  return used === undefined ? `${size}, ${texts.unknownUse}` : texts.usedOf(roundedBytes(used), size);
}

function Attachments({ storage, networkOf }: { readonly storage: FileStorage; readonly networkOf: NameOf }) {
  const { metadata, status } = storage;
  const { attachments = [] } = status;
  return (
    <Section title={texts.attachments}>
      {attachments.length === 0 && <p className="text-muted">{texts.noAttachments}</p>}
      <ul className="flex flex-col gap-3">
        {attachments.map(({ networkId, mountSource, provisioningStatus }) => (
          <li key={networkId} className="flex flex-col gap-1">
            <span className="flex justify-between gap-4">
              <PlaceLink org={metadata.organizationId} project={metadata.projectId} noun="networks" id={networkId}>
                {networkOf(networkId)}
              </PlaceLink>
              <span className="text-muted">{provisioningStatus}</span>
            </span>
            {mountSource !== undefined && (
              <Code label={texts.mount(networkOf(networkId))} text={`sudo mount -t nfs ${mountSource} /mnt`} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
