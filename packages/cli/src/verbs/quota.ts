import { dataOf, quantityText, type Quotas } from '@unikorn/sdk';

import type { GlobalOptions } from '../global-options.ts';
import { coloursFor } from '../output/colours.ts';
import { nameLookup } from '../output/names.ts';
import { documentText } from '../output/print.ts';
import { renderTable } from '../output/table.ts';
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
  if (options.output !== undefined || allocations.length === 0) return;
  const names = nameLookup(session);
  const rows = allocations.map(async ({ resource, projectId, committed, reserved }) => [
    resource.kind.split('.')[0] ?? '',
    resource.id,
    await names('project', projectId, { metadata: { id: projectId, name: projectId } }),
    quantityText(committed + reserved, quota.format),
  ]);
  terminal.stdout.write(`\n${renderTable(['PAYS FOR', 'ID', 'PROJECT', 'USED'], await Promise.all(rows))}`);
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
  const headers = [
    'KIND',
    'USED',
    'LIMIT',
    'FREE',
    ...(wide ? ['COMMITTED', 'RESERVED', 'DEFAULT'] : []),
    'DESCRIPTION',
  ];
  const rows = quotas.map((quota) => {
    const text = (quantity: number) => quantityText(quantity, quota.format);
    const free = quota.free <= 0 && quota.quantity > 0 ? colours.red(text(quota.free)) : text(quota.free);
    return [
      quota.kind,
      text(quota.used),
      text(quota.quantity),
      free,
      ...(wide ? [text(quota.committed), text(quota.reserved), text(quota.default)] : []),
      quota.description,
    ];
  });
  return renderTable(
    headers.map((header) => colours.dim(header)),
    rows,
  );
}
