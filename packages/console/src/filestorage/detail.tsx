import { useNavigate, useParams } from '@tanstack/react-router';

import type { FileStorage } from '@unikorn/sdk';

import { useNames, type NameOf } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Code, Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, Notice, Page, Section, Skeleton } from '../parts/page.tsx';
import { Badge, conditionOf } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Gone } from '../shell/gone.tsx';
import { ResourceActions } from '../shell/resource-actions.tsx';
import { number, words } from '../words/index.ts';
import { DeleteFileStorage, FileStorageForm } from './form.tsx';
import { useStorageClasses } from './queries.ts';
import { roundedBytes } from './rounded-bytes.ts';

const texts = words.fileStorage;
const from = '/o/$org/p/$project/file-storage/$id';

/** One file storage: its size and use, and how to mount it. */
export function FileStorageDetailPage() {
  const { org, project, id } = useParams({ from });
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const { data: classes = [] } = useStorageClasses();
  const all = useLive('fileStorage', { organization: org, project });
  const names = useNames(org, project, []);
  const storage = all.items.find(({ metadata }) => metadata.id === id);
  if (!storage)
    return all.freshness === 'loading' ? <Skeleton /> : <Gone path={`/api/v2/filestorage/${id}`} one={texts.one} />;
  const { metadata, spec, status } = storage;
  const condition = conditionOf(storage);
  return (
    <Page
      title={metadata.name}
      before={<Badge tone={condition.tone}>{condition.word}</Badge>}
      actions={
        <ResourceActions
          name={metadata.name}
          path={`/api/v2/filestorage/${id}`}
          version={JSON.stringify([metadata.provisioningStatus, metadata.modifiedTime])}
          open={open}
        />
      }
    >
      {condition.message !== undefined && (
        <Notice tone={condition.tone === 'busy' ? 'info' : 'warn'}>
          <span lang="en">{condition.message}</span>
        </Notice>
      )}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Section title={texts.details}>
          <Facts>
            <Fact name={texts.used}>{usageText(storage)}</Fact>
            <Fact name={texts.class}>
              {classes.find((each) => each.metadata.id === status.storageClassId)?.metadata.name ??
                status.storageClassId}
            </Fact>
            <Fact name={texts.region}>{names.region(status.regionId)}</Fact>
            <Fact name={texts.policies}>
              {(spec.snapshotPolicies ?? [])
                .map(
                  ({ name, schedule, retention }) =>
                    `${name}: ${texts.policy(schedule.interval, number(retention.keep))}`,
                )
                .join('; ') || texts.noPolicies}
            </Fact>
            <Fact name={words.parts.created}>
              <Time at={metadata.creationTime} />
            </Fact>
            <Fact name={texts.id}>
              <Identifier id={metadata.id} />
            </Fact>
          </Facts>
        </Section>
        <Attachments storage={storage} networkOf={names.network} />
      </div>
      {search.dialog === 'edit' && <FileStorageForm org={org} project={project} storage={storage} onClose={close} />}
      {search.dialog === 'delete' && (
        <DeleteFileStorage
          org={org}
          project={project}
          storage={storage}
          onClose={close}
          onDeleted={() => void navigate({ to: '/o/$org/p/$project/file-storage', params: { org, project } })}
        />
      )}
    </Page>
  );
}

function usageText({ spec, status }: FileStorage): string {
  const size = texts.sizeText(number(spec.sizeGiB));
  const used = status.usage?.usedBytes;
  return used === undefined ? `${size}, ${texts.unknownUse}` : texts.usedOf(roundedBytes(used), size);
}

function Attachments({ storage, networkOf }: { readonly storage: FileStorage; readonly networkOf: NameOf }) {
  const { attachments = [] } = storage.status;
  return (
    <Section title={texts.attachments}>
      {attachments.length === 0 && <p className="text-muted">{texts.noAttachments}</p>}
      <ul className="flex flex-col gap-3">
        {attachments.map(({ networkId, mountSource, provisioningStatus }) => (
          <li key={networkId} className="flex flex-col gap-1">
            <span className="flex justify-between gap-4">
              <span className="font-medium">{networkOf(networkId)}</span>
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
