import { Link, useNavigate, useParams } from '@tanstack/react-router';

import { ListPage } from '../parts/list-page.tsx';
import { useChosen, useListState } from '../parts/list-state.ts';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useRights } from '../session/rights.ts';
import { number, words } from '../words/index.ts';
import { DeleteImage, ImportForm } from './form.tsx';
import { askedOf, imageCondition, osText, useImageRows, type Row } from './rows.ts';

const texts = words.image;

/** The images that an organization can use, of all regions. */
export function ImagesPage() {
  const { org, project } = useParams({ from: '/o/$org/p/$project/images' });
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(org);
  const { rows, error } = useImageRows(org);
  const chosen = useChosen(state, (id) => rows?.find((row) => idOf(row) === id));
  const pageOf = ({ image, regionId }: Row) => `/o/${org}/p/${project}/images/${regionId}/${image.metadata.id}`;
  return (
    <>
      <ListPage
        texts={texts}
        icon="images"
        state={state}
        rows={rows}
        error={error}
        idOf={idOf}
        nameOf={nameOf}
        textOf={textOf}
        regionOf={regionOf}
        createReason={rights.may('region:images', 'create') ? undefined : words.parts.missingRight}
        columns={[
          {
            key: 'name',
            title: words.parts.name,
            width: 'minmax(10rem, 2fr)',
            sort: nameOf,
            cell: (row) => (
              <Link to={pageOf(row)} className="font-medium hover:underline">
                {nameOf(row)}
              </Link>
            ),
          },
          {
            key: 'status',
            title: texts.status,
            sort: ({ image }) => image.status.state,
            cell: ({ image }) => <Status {...imageCondition(image)} />,
          },
          { key: 'os', title: texts.os, width: 'minmax(9rem, 1fr)', sort: osText, cell: osText },
          {
            key: 'architecture',
            title: texts.architecture,
            width: '7rem',
            cell: ({ image }) => image.spec.architecture,
          },
          {
            key: 'size',
            title: texts.size,
            width: '5rem',
            sort: ({ image }) => image.spec.sizeGiB,
            cell: ({ image }) => <span className="tabular">{texts.sizeText(number(image.spec.sizeGiB))}</span>,
          },
          { key: 'region', title: texts.region, sort: ({ region }) => region, cell: ({ region }) => region },
          {
            key: 'created',
            title: words.parts.created,
            width: '7rem',
            sort: ({ image }) => -Date.parse(image.metadata.creationTime),
            cell: ({ image }) => <Time at={image.metadata.creationTime} />,
          },
        ]}
        onOpen={(row) => {
          void navigate({ to: pageOf(row) });
        }}
        asked={(row) => askedOf(org, row)}
        actions={[
          {
            title: words.parts.remove,
            icon: 'trash',
            danger: true,
            asks: 'delete',
            run: (row) => {
              state.open('delete', idOf(row));
            },
          },
        ]}
      />
      {state.search.dialog === 'new' && <ImportForm org={org} onClose={state.close} />}
      {state.search.dialog === 'delete' && chosen && <DeleteImage org={org} row={chosen} onClose={state.close} />}
    </>
  );
}

const idOf = ({ image, regionId }: Row) => `${regionId} ${image.metadata.id}`;
const regionOf = ({ regionId }: Row) => regionId;
const nameOf = ({ image }: Row) => image.metadata.name;
const textOf = (row: Row) => `${nameOf(row)} ${row.image.metadata.id} ${row.region} ${osText(row)}`;
