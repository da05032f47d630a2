import { describe, expect, it } from 'vitest';

import { network } from '../nouns/network.ts';
import type { Named } from '../nouns/noun.ts';
import { project } from '../nouns/project.ts';
import { fakeTerminal } from '../testing/product.ts';
import { printList, printOne, type Printing } from './print.ts';

const creationTime = '2026-01-01T00:00:00Z';

function networkRead(id: string, name: string, more: Partial<Named['metadata']> = {}): Named {
  const object = {
    metadata: {
      id,
      name,
      creationTime,
      provisioningStatus: 'provisioned' as const,
      organizationId: 'o',
      projectId: 'p1',
      ...more,
    },
    spec: { dnsNameservers: ['9.9.9.9', '1.1.1.1'] },
    status: { prefix: '10.0.0.0/24', regionId: 'r1' },
  };
  return object;
}

async function printed(print: (printing: Printing) => Promise<void>, options: Partial<Printing> = {}): Promise<string> {
  const terminal = { ...fakeTerminal(), now: () => new Date(Date.parse(creationTime) + 5 * 60_000) };
  await print({ terminal, names: (noun, id) => Promise.resolve(`${noun} of ${id}`), format: undefined, ...options });
  await expect.poll(() => terminal.written().stdout).not.toBe('');
  return terminal.written().stdout;
}

describe('a list', () => {
  it('is a table with names in place of ids', async () => {
    expect(
      await printed((printing) =>
        printList(
          network,
          [networkRead('1', 'web'), networkRead('2', 'database', { provisioningStatus: 'error' })],
          printing,
        ),
      ),
    ).toBe(
      'NAME       STATUS        PREFIX        REGION         AGE\nweb        provisioned   10.0.0.0/24   region of r1   5m\ndatabase   error         10.0.0.0/24   region of r1   5m\n',
    );
  });

  it('shows more columns with wide, and the project if there may be several', async () => {
    const [headers = ''] = (
      await printed((printing) => printList(network, [networkRead('1', 'web')], printing), {
        format: 'wide',
        projects: true,
      })
    ).split('\n');
    expect(headers.split(/ +/)).toEqual([
      'NAME',
      'STATUS',
      'ID',
      'PROJECT',
      'PREFIX',
      'REGION',
      'DNS',
      'ROUTES',
      'AGE',
    ]);
  });

  it('prints names that are found again: the id if others have the name', async () => {
    const objects = [networkRead('1', 'web'), networkRead('2', 'web'), networkRead('3', 'db')];
    expect(await printed((printing) => printList(network, objects, printing), { format: 'name' })).toBe('1\n2\ndb\n');
  });

  it('counts elements without a name', async () => {
    const ids = ['b29ebc9c-0f4c-4f4e-9b0f-000000000001', 'b29ebc9c-0f4c-4f4e-9b0f-000000000002'];
    const team = (id: string, groupIDs: readonly string[]): Named => ({
      metadata: { id, name: `team-${id}` },
      ...{ spec: { groupIDs } },
    });
    const names = (_: string, id: string) => Promise.resolve(id === ids[0] ? 'crew' : id);
    const [, ...rows] = (
      await printed(
        (printing) => printList(project, [team('1', ids), team('2', ids.slice(1)), team('3', [])], printing),
        { names },
      )
    )
      .split('\n')
      .map((line) => line.split(/ +/)[1]);
    expect(rows.slice(0, 3)).toEqual(['crew,+1', '1', '-']);
  });

  it.each(['json', 'yaml'] as const)('as %s is the response of the API, with its kind', async (format) => {
    const { parse } = await import('yaml');
    const objects = [networkRead('1', 'web')];
    expect(parse(await printed((printing) => printList(network, objects, printing), { format }))).toEqual(
      objects.map((object) => ({ kind: 'network', ...object })),
    );
  });

  it('that is empty is an empty document, with a message on standard error', async () => {
    expect(await printed((printing) => printList(network, [], printing), { format: 'json' })).toBe('[]\n');
    const terminal = fakeTerminal();
    const names = (_: string, id: string) => Promise.resolve(id);
    await printList(network, [], { terminal, names, format: undefined });
    await printList(network, [], { terminal, names, format: undefined, filtered: true });
    await expect
      .poll(() => terminal.written())
      .toEqual({ stdout: '', stderr: 'there are no networks here\nno networks match\n' });
  });
});

describe('one resource', () => {
  it('is described, with its problem', async () => {
    const object = networkRead('1', 'web', {
      provisioningStatus: 'provisioning',
      provisioningStatusDetail: { reason: 'Provisioning', message: 'the cloud is slow' },
      tags: [{ name: 'team', value: 'a' }],
    });
    expect(await printed((printing) => printOne(network, object, printing))).toBe(
      [
        'Name:     web',
        'Status:   provisioning',
        'Reason:   the cloud is slow',
        'ID:       1',
        'Project:  project of p1',
        'Prefix:   10.0.0.0/24',
        'Region:   region of r1',
        'DNS:      9.9.9.9',
        '          1.1.1.1',
        'Tags:     team=a',
        'Created:  2026-01-01T00:00:00Z (5m ago)',
        '',
      ].join('\n'),
    );
  });

  it('has a coloured status only on a terminal', async () => {
    const terminal = { ...fakeTerminal({ interactive: true, env: { NO_COLOR: '' } }) };
    await printOne(network, networkRead('1', 'web'), {
      terminal,
      names: (_, id) => Promise.resolve(id),
      format: undefined,
    });
    await expect.poll(() => terminal.written().stdout).toContain('\u001b[32mprovisioned\u001b[39m');
  });
});
