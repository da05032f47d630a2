import { dataOf } from '@unikorn/sdk';

import { valueAt } from '../documents.ts';
import { Failure } from '../failure.ts';
import { find } from '../finding.ts';
import { coloursFor } from '../output/colours.ts';
import { renderFacts } from '../output/describe.ts';
import { documentText } from '../output/print.ts';
import { handleOf, nameOf } from '../resources.ts';
import { opened, type Call } from './verb.ts';

/** Verifies that an organization owns its domain. If it cannot be verified, the record to publish is printed. */
export async function verifyDomainVerb(call: Call, name: string): Promise<void> {
  const { terminal, noun, options } = call;
  const { stdout, env } = terminal;
  const { session } = await opened(call);
  const organization = await find(session, noun, name);
  const [title, handle] = [nameOf(noun, organization), handleOf(noun, organization)];
  if (valueAt(organization, 'spec.domain') === undefined)
    throw new Failure(
      'refused',
      `organization ${title} has no domain`,
      `set it first: unikorn organization update ${handle} --type domain --domain acme.example`,
    );
  const path = { organizationID: organization.metadata.id };
  const verification = await dataOf(
    session.unikorn.identity.POST('/api/v1/organizations/{organizationID}/domain/verification', { params: { path } }),
  );
  const { domain, verified, record } = verification;
  if (options.output === 'json' || options.output === 'yaml')
    stdout.write(await documentText(options.output, verification));
  else if (verified) stdout.write(`domain ${domain} of organization ${title} is verified\n`);
  else
    stdout.write(
      renderFacts(
        [
          { header: 'NAME', texts: [record.name] },
          { header: 'TYPE', texts: [record.type] },
          { header: 'VALUE', texts: [record.value] },
        ],
        coloursFor(stdout, env),
      ),
    );
  if (!verified)
    throw new Failure(
      'incomplete',
      `domain ${domain} of organization ${title} is not verified`,
      `publish this DNS record, then verify it again: unikorn organization verify ${handle}`,
    );
}
