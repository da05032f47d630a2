import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { probe, routesOf, situations, type AccessStage, type Declared } from './access-walk.ts';

export { situations, WriteGuard, type AccessStage, type Situation } from './access-walk.ts';

export interface AccessWalk {
  readonly start: () => Promise<AccessStage & { readonly stop: () => Promise<void> }>;
  /** The file with the table, which is reviewed and checked in; `vitest -u` writes it again. */
  readonly table: string;
}

/**
 * Calls every route of the services with every role in every situation, and compares the results with the table. A
 * route that is not in the table fails. It also checks that no response shows whether an object exists in an
 * organization that the caller does not belong to. It needs vitest, so it is imported from
 * `@unikorn/identity/testing/access`.
 *
 * @example describeAccess('identity', { start: startAccessStage, table: 'access-table.txt' });
 */
export function describeAccess(title: string, { start, table }: AccessWalk): void {
  describe(`access to ${title}`, () => {
    let stage: Awaited<ReturnType<AccessWalk['start']>>;
    beforeAll(async () => {
      stage = await start();
    });
    afterAll(() => stage.stop());

    it('matches the table, for every route, role and situation', async () => {
      await expect(await tableOf(stage)).toMatchFileSnapshot(table);
    });

    it('does not show which objects exist in organizations that the caller does not belong to', async () => {
      expect(await leaksOf(stage)).toEqual([]);
    });
  });
}

async function tableOf(stage: AccessStage): Promise<string> {
  const blocks: string[] = [`columns: ${situations.join(' | ')}`];
  for (const declared of routesOf(stage.services)) blocks.push(await blockOf(stage, declared));
  const raw = stage.services.flatMap(({ base = '', rawRoutes = [] }) =>
    rawRoutes.map(({ method, path }) => `${method} ${base}${path}`),
  );
  return `${[...blocks, ['not walked, because they check for themselves who calls:', ...raw].join('\n  ')].join('\n\n')}\n`;
}

/** A route: the results without a valid token, then one line for all roles with the same results. */
async function blockOf(stage: AccessStage, declared: Declared): Promise<string> {
  const { service, route } = declared;
  const lines = new Map<string, string[]>();
  for (const [role, headers] of Object.entries(stage.callers)) {
    const outcomes: string[] = [];
    for (const situation of situations)
      outcomes.push((await probe(stage, declared, headers, situation)).outcome.padEnd(3));
    const line = outcomes.join(' ').trimEnd();
    lines.set(line, [...(lines.get(line) ?? []), role]);
  }
  const none = await probe(stage, declared, {}, 'own project');
  const bad = await probe(stage, declared, { authorization: 'Bearer nonsense' }, 'own project');
  const heading = `${route.method} ${service.base ?? ''}${route.path}`;
  return [
    heading,
    `  no token ${none.outcome}, bad token ${bad.outcome}`,
    ...[...lines].map(([line, roles]) => `  ${line.padEnd(16)}${roles.join(', ')}`),
  ].join('\n');
}

/**
 * Every response by which a tenant could distinguish an object of another organization from one that does not exist.
 */
async function leaksOf(stage: AccessStage): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const declared of routesOf(stage.services)) {
    const { route } = declared;
    const absent = route.path.includes('{organizationID}') ? 'absent organization' : 'absent object';
    for (const role of stage.tenants) {
      const headers = stage.callers[role] ?? {};
      const [foreign, none] = [
        await probe(stage, declared, headers, 'other organization'),
        await probe(stage, declared, headers, absent),
      ];
      if (foreign.status !== none.status || foreign.text !== none.text)
        leaks.push(
          `${route.method} ${route.path} as ${role}: ${foreign.status} ${foreign.text} is not ${none.status} ${none.text}`,
        );
      for (const situation of situations) {
        const { text } = await probe(stage, declared, headers, situation);
        if (stage.secrets.some((secret) => text.includes(secret)))
          leaks.push(
            `${route.method} ${route.path} as ${role} (${situation}) shows what is the other organization's: ${text}`,
          );
      }
    }
  }
  return leaks;
}
