import { dataOf, type ComputePaths } from '@unikorn/sdk';

import { nameLookup } from '../output/names.ts';
import { everywhere } from '../resources.ts';
import type { Session } from '../session.ts';

export type Findings = ComputePaths['/api/v1/findings']['get']['responses'][200]['content']['application/json'];

/** A finding, with the name of the instance that it is about. Other objects are known by their id only. */
export type Finding = Findings['findings'][number] & { readonly name: string };

/** The open findings of the whole platform. Names are looked up in all projects. */
export async function openFindings(
  session: Session,
): Promise<{ readonly answer: Findings; readonly findings: readonly Finding[] }> {
  const answer = await dataOf(session.unikorn.compute.GET('/api/v1/findings'));
  const names = nameLookup(everywhere(session));
  const findings = await Promise.all(
    answer.findings.map(async (finding) => ({
      ...finding,
      name: await names('instance', finding.id, { metadata: { id: finding.id, name: finding.id } }),
    })),
  );
  return { answer, findings };
}
