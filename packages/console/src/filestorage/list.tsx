import { useParams } from '@tanstack/react-router';

import type { FileStorage } from '@unikorn/sdk';

import { useNames } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ResourceList } from '../parts/resource-list.tsx';
import { numberColumn, referenceColumn } from '../parts/rows.tsx';
import { number, words } from '../words/index.ts';
import { DeleteFileStorage, FileStorageForm } from './form.tsx';

const texts = words.fileStorage;
const from = '/o/$org/p/$project/file-storage';

/** The file storage of a project, live. */
export function FileStoragePage() {
  const place = useParams({ from });
  const { org, project } = place;
  const names = useNames(org, project, []);
  return (
    <ResourceList
      {...place}
      noun="file-storage"
      path="/api/v2/filestorage"
      area="region:filestorage:v2"
      icon="fileStorage"
      texts={texts}
      live={useLive('fileStorage', { organization: org, project })}
      columns={[
        numberColumn<FileStorage>(
          'size',
          texts.size,
          '7rem',
          ({ spec }) => spec.sizeGiB,
          (size) => texts.sizeText(number(size)),
        ),
        {
          key: 'networks',
          title: texts.networks,
          cell: ({ spec }) => (spec.attachments?.networkIds ?? []).map(names.network).join(', ') || '–',
        },
        referenceColumn<FileStorage>('region', texts.region, ({ status }) => names.region(status.regionId)),
      ]}
      textOf={({ metadata }) => `${metadata.name} ${metadata.id}`}
      form={(storage, onClose) => <FileStorageForm {...place} {...(storage && { storage })} onClose={onClose} />}
      remove={(storage, onClose) => <DeleteFileStorage {...place} storage={storage} onClose={onClose} />}
    />
  );
}
