import { dataOf, quantityText, type Quotas } from '@unikorn/sdk';

import type { GlobalOptions } from '../global-options.ts';
import { coloursFor } from '../output/colours.ts';
import type { Named } from '../nouns/noun.ts';
import { nameLookup, type NameLookup } from '../output/names.ts';
import { documentText } from '../output/print.ts';
import { renderTable, widthOf } from '../output/table.ts';
import { changedQuotas, quotaOf, type Quota } from '../quota.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

const quotasPath = '/api/v1/organizations/{organizationID}/quotas';

export async function listQuotas(terminal: Terminal, options: GlobalOptions): Promise<void> {
  const session = await openSession(terminal, options);
  await print(terminal, options, await read(session));
}

/** One quota, and its usage by project. */
export async function getQuota(terminal: Terminal, options: GlobalOptions, kind: string): Promise<void> {
  const session = await openSession(terminal, options);
  const quota = quotaOf(await read(session, 'allocations'), kind);
  if (options.output === 'json' || options.output === 'yaml')
    terminal.stdout.write(await documentText(options.output, quota));
  else await print(terminal, options, { quotas: [quota] });
  const allocations = quota.allocations ?? [];
  if (![undefined, 'table', 'wide'].includes(options.output) || allocations.length === 0) return;
  const names = nameLookup(session);
  const wide = options.output === 'wide';
  const organizationId = await session.idOf('organization');
  const rows = allocations.map(async ({ resource, projectId, committed, reserved }) => {
    const place = { metadata: { id: projectId, name: projectId, organizationId, projectId } };
    return [
      await resourceText(resource, place, names),
      ...(wide ? [resource.id] : []),
      await names('project', projectId, place),
      quantityText(committed + reserved, quota.format),
    ];
  });
  const columns = ['PAYS FOR', ...(wide ? [{ header: 'ID', exact: true, rank: 20 }] : []), 'PROJECT', 'USED'];
  const { stdout, env } = terminal;
  stdout.write(
    `\n${renderTable(columns, await Promise.all(rows), { width: widthOf(stdout), paintHeader: coloursFor(stdout, env).dim })}`,
  );
}

/** The nouns of the kinds that a quota is used for. */
const quotaNouns: Readonly<Record<string, string>> = {
  computeinstances: 'instance',
  instances: 'instance',
  networks: 'network',
  loadbalancers: 'loadbalancer',
  filestorages: 'filestorage',
};

/** Such as `instance web-1`. A resource that the caller may not see has only an id. */
async function resourceText(
  { kind, id }: { readonly kind: string; readonly id: string },
  place: Named,
  names: NameLookup,
): Promise<string> {
  const plural = kind.split('.')[0] ?? kind;
  const noun = quotaNouns[plural.toLowerCase()];
  return noun === undefined ? `${plural} ${id}` : `${noun} ${await names(noun, id, place)}`;
}

export async function updateQuotas(
  terminal: Terminal,
  options: GlobalOptions,
  wanted: readonly string[],
): Promise<void> {
  const session = await openSession(terminal, options);
  const body = changedQuotas(await read(session), wanted);
  const path = { organizationID: await session.idOf('organization') };
  await print(terminal, options, await dataOf(session.unikorn.identity.PUT(quotasPath, { params: { path }, body })));
}

async function read(session: Session, include?: 'allocations'): Promise<Quotas> {
  const path = { organizationID: await session.idOf('organization') };
  return dataOf(
    session.unikorn.identity.GET(quotasPath, { params: { path, ...(include ? { query: { include } } : {}) } }),
  );
}

async function print(terminal: Terminal, { output = 'table' }: GlobalOptions, answer: Quotas): Promise<void> {
  switch (output) {
    case 'json':
    case 'yaml':
      terminal.stdout.write(await documentText(output, answer));
      return;
    case 'name':
      terminal.stdout.write(answer.quotas.map(({ kind }) => `${kind}\n`).join(''));
      return;
    case 'table':
    case 'wide':
      terminal.stdout.write(tableOf(terminal, answer.quotas, output === 'wide'));
  }
}

function tableOf(terminal: Terminal, quotas: readonly Quota[], wide: boolean): string {
  const colours = coloursFor(terminal.stdout, terminal.env);
  const columns = [
    'KIND',
    'USED',
    'LIMIT',
    'FREE',
    ...(wide ? ['COMMITTED', 'RESERVED', 'DEFAULT'] : []),
    { header: 'DESCRIPTION', rank: 20 },
  ];
  const rows = quotas.map((quota) => {
    const text = (quantity: number) => quantityText(quantity, quota.format);
    const isFull = quota.free <= 0 && quota.quantity > 0;
    const free = isFull ? { text: text(quota.free), paint: colours.red } : text(quota.free);
    return [
      quota.kind,
      text(quota.used),
      text(quota.quantity),
      free,
      ...(wide ? [text(quota.committed), text(quota.reserved), text(quota.default)] : []),
      quota.description,
    ];
  });
  return renderTable(columns, rows, { width: widthOf(terminal.stdout), paintHeader: colours.dim });
}
