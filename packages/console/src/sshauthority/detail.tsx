import { useParams } from '@tanstack/react-router';

import { useLive } from '../live/use-live.ts';
import { Code } from '../parts/copy.tsx';
import { Fact, Section } from '../parts/page.tsx';
import { liveResource } from '../parts/rows.tsx';
import { Details, ResourcePage, UsedBy } from '../shell/resource-page.tsx';
import { words } from '../words/index.ts';
import { keyType } from './fingerprint.ts';
import { DeleteAuthority, Fingerprint, usersOf } from './list.tsx';

const texts = words.sshAuthority;

/** One SSH authority: its key, and the instances that trust it. */
export function SshAuthorityPage() {
  const { org, project, id } = useParams({ from: '/o/$org/p/$project/ssh-authorities/$id' });
  const authorities = useLive('sshAuthorities', { organization: org, project });
  const instances = useLive('instances', { organization: org, project });
  const users = usersOf(instances.items, id);
  return (
    <ResourcePage
      org={org}
      project={project}
      noun="ssh-authorities"
      one={texts.one}
      id={id}
      path={`/api/v2/sshcertificateauthorities/${id}`}
      {...liveResource(authorities, id)}
      edit={false}
      version={users.length}
      remove={(authority, onClose, onDeleted) => (
        <DeleteAuthority authority={authority} onClose={onClose} onDeleted={onDeleted} />
      )}
    >
      {(authority) => (
        <>
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <Details resource={authority}>
              <Fact name={texts.type}>{keyType(authority.spec.publicKey)}</Fact>
              <Fact name={texts.fingerprint}>
                <Fingerprint publicKey={authority.spec.publicKey} />
              </Fact>
            </Details>
            <UsedBy
              org={org}
              project={project}
              title={texts.users}
              none={texts.noUsers}
              instances={users}
              by={{ authority: id }}
              loading={instances.freshness === 'loading'}
            />
          </div>
          <Section title={texts.publicKey}>
            <Code label={texts.publicKey} text={authority.spec.publicKey} wrap />
          </Section>
        </>
      )}
    </ResourcePage>
  );
}
