import { useParams } from '@tanstack/react-router';

import type { Image } from '@unikorn/sdk';

import { hasSoftware } from '../catalog/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { ButtonLink } from '../parts/button-link.tsx';
import { Icon } from '../parts/icon.tsx';
import { Fact } from '../parts/page.tsx';
import { useRights } from '../session/rights.ts';
import { Details, ResourcePage, UsedBy } from '../shell/resource-page.tsx';
import { number, words } from '../words/index.ts';
import { DeleteImage } from './form.tsx';
import { imageCondition, imagePath, useImageRows } from './rows.ts';

const texts = words.image;

/** One image: what it contains, which machines can use it, and the instances that were made from it. */
export function ImagePage() {
  const { org, project, region, id } = useParams({ from: '/o/$org/p/$project/images/$region/$id' });
  const { rows, error } = useImageRows(org);
  const rights = useRights(org);
  const instances = useLive('instances', { organization: org, project });
  const row = rows?.find(({ image, regionId }) => image.metadata.id === id && regionId === region);
  const users = instances.items.filter(({ spec, status }) => spec.imageId === id && status.regionId === region);
  return (
    <ResourcePage
      org={org}
      project={project}
      noun="images"
      one={texts.one}
      id={`${region}/${id}`}
      path={imagePath(org, region, id)}
      resource={row?.image}
      loading={rows === undefined}
      error={error}
      conditionOf={imageCondition}
      edit={false}
      version={row?.image.status.state}
      actions={({ spec, status }) => (
        <ButtonLink
          to={`/o/${org}/p/${project}/instances/new`}
          search={{ image: id }}
          reason={
            rights.may('compute:instances', 'create', project) ? reasonAgainst(spec, status) : words.parts.missingRight
          }
        >
          <Icon name="plus" />
          {words.instance.create}
        </ButtonLink>
      )}
      remove={(_image, onClose, onDeleted) =>
        row && <DeleteImage org={org} row={row} onClose={onClose} onDeleted={onDeleted} />
      }
    >
      {(image) => (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <Details resource={image}>
            <Fact name={texts.region}>{row?.region}</Fact>
            <Fact name={texts.os}>{systemText(image)}</Fact>
            <Fact name={texts.architecture}>{image.spec.architecture}</Fact>
            <Fact name={texts.virtualization}>{texts.virtualizations[image.spec.virtualization]}</Fact>
            <Fact name={texts.smallestDisk}>{texts.sizeText(number(image.spec.sizeGiB))}</Fact>
            {image.spec.softwareVersions && (
              <Fact name={texts.software}>{softwareText(image.spec.softwareVersions)}</Fact>
            )}
            {image.spec.gpu && <Fact name={texts.gpu}>{gpuText(image.spec.gpu)}</Fact>}
          </Details>
          <UsedBy
            org={org}
            project={project}
            title={texts.users}
            none={texts.noUsers}
            instances={users}
            by={{ image: id, region }}
            loading={instances.freshness === 'loading'}
          />
        </div>
      )}
    </ResourcePage>
  );
}

function systemText({ spec: { os } }: Image): string {
  return [os.distro, os.version, os.variant, os.codename && `(${os.codename})`].filter(Boolean).join(' ');
}

/** Why no instance can be made from the image. */
function reasonAgainst(spec: Image['spec'], status: Image['status']): string | undefined {
  if (status.state !== 'ready') return texts.notReady;
  return hasSoftware(spec) ? texts.forOthers : undefined;
}

function softwareText(versions: Readonly<Record<string, string>>): string {
  return Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function gpuText({ vendor, driver, models = [] }: NonNullable<Image['spec']['gpu']>): string {
  return [texts.gpuText(vendor, driver), ...models].join(', ');
}
