import { useMutation } from '@tanstack/react-query';

import { dataOf, type Organization } from '@unikorn/sdk';

import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/copy.tsx';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useApi } from '../../session/context.tsx';
import { shellWord } from '../../parts/equivalent.ts';
import { Same } from '../../shell/same.tsx';
import { platformWords } from '../../words/platform.ts';

const texts = platformWords.organizations;

/** Proves by a DNS record that the organization owns its mail domain. */
export function DomainSection({
  organization: { metadata, spec, status },
  reason,
}: {
  readonly organization: Organization;
  readonly reason: string | undefined;
}) {
  const { identity } = useApi();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      dataOf(
        identity.POST('/api/v1/organizations/{organizationID}/domain/verification', {
          params: { path: { organizationID: metadata.id } },
        }),
      ),
  });
  const domain = spec.domain ?? '';
  const isVerified = status?.domainVerified === true || data?.verified === true;
  return (
    <Section
      title={texts.verification}
      actions={
        !isVerified && (
          <Button
            busy={isPending}
            reason={reason}
            onClick={() => {
              mutate();
            }}
          >
            {texts.verify}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3" aria-live="polite">
        {error && <Problem error={error} />}
        {isVerified ? <p>{texts.verified(domain)}</p> : <p className="text-muted">{texts.verificationText}</p>}
        {data && !isVerified && (
          <>
            <p>{texts.publish(domain)}</p>
            <Code label={texts.record} text={`${data.record.name}. ${data.record.type} "${data.record.value}"`} wrap />
          </>
        )}
        {!isVerified && (
          <Same
            command={`npx unikorn organization verify ${shellWord(metadata.name)}`}
            sent={{ method: 'POST', path: `/identity/api/v1/organizations/${metadata.id}/domain/verification` }}
          />
        )}
      </div>
    </Section>
  );
}
