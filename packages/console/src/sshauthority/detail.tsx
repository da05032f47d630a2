import { useNavigate, useParams } from '@tanstack/react-router';

import { useLive } from '../live/use-live.ts';
import { Code, Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Fact, Facts, FirstItems, Nothing, Page, Section, Skeleton } from '../parts/page.tsx';
import { PlaceLink } from '../parts/place-link.tsx';
import { byName } from '../parts/rows.tsx';
import { Time } from '../parts/time.tsx';
import { Gone } from '../shell/gone.tsx';
import { ResourceActions } from '../shell/resource-actions.tsx';
import { words } from '../words/index.ts';
import { keyType } from './fingerprint.ts';
import { DeleteAuthority, Fingerprint, usersOf } from './list.tsx';

const texts = words.sshAuthority;
const from = '/o/$org/p/$project/ssh-authorities/$id';

/** One SSH authority: its key, and the instances that trust it. */
export function SshAuthorityPage() {
  const { org, project, id } = useParams({ from });
  const { search, open, close } = useListState();
  const navigate = useNavigate();
  const authorities = useLive('sshAuthorities', { organization: org, project });
  const instances = useLive('instances', { organization: org, project });
  const authority = authorities.byId.get(id);
  const path = `/api/v2/sshcertificateauthorities/${id}`;
  if (!authority) return authorities.freshness === 'loading' ? <Skeleton /> : <Gone path={path} one={texts.one} />;
  const { metadata, spec } = authority;
  const users = usersOf(instances.items, id).toSorted(byName);
  return (
    <Page
      title={metadata.name}
      actions={
        <ResourceActions
          name={metadata.name}
          edit={false}
          path={path}
          version={`${metadata.modifiedTime ?? ''} ${users.length}`}
          open={open}
        />
      }
    >
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Section title={texts.details}>
          <Facts>
            <Fact name={texts.type}>{keyType(spec.publicKey)}</Fact>
            <Fact name={texts.fingerprint}>
              <Fingerprint publicKey={spec.publicKey} />
            </Fact>
            <Fact name={words.parts.description}>{metadata.description ?? '–'}</Fact>
            <Fact name={words.parts.created}>
              <Time at={metadata.creationTime} />
            </Fact>
            <Fact name={texts.id}>
              <Identifier id={metadata.id} />
            </Fact>
          </Facts>
        </Section>
        <Section title={texts.users}>
          {users.length === 0 && <Nothing loading={instances.freshness === 'loading'}>{texts.noUsers}</Nothing>}
          <ul className="flex flex-col gap-1">
            <FirstItems items={users}>
              {(instance) => (
                <li key={instance.metadata.id}>
                  <PlaceLink org={org} project={project} noun="instances" id={instance.metadata.id}>
                    {instance.metadata.name}
                  </PlaceLink>
                </li>
              )}
            </FirstItems>
          </ul>
        </Section>
      </div>
      <Section title={texts.publicKey}>
        <Code label={texts.publicKey} text={spec.publicKey} wrap />
      </Section>
      {search.dialog === 'delete' && (
        <DeleteAuthority
          authority={authority}
          onClose={close}
          onDeleted={() => void navigate({ to: '/o/$org/p/$project/ssh-authorities', params: { org, project } })}
        />
      )}
    </Page>
  );
}
