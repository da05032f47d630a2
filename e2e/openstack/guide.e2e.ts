import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { shellBlocks, Terminal } from '../typed.fixture.ts';
import { asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { startProduct, type Product } from './product.fixture.ts';
import { removeDomain } from './sweep.fixture.ts';

/*
 * Types the commands of docs/guides/openstack.md as they are written, in one shell. Only the values of the first block
 * are replaced, as the guide asks for it.
 */

const root = join(import.meta.dirname, '../..');
const [values = '', ...blocks] = shellBlocks(readFileSync(join(root, 'docs/guides/openstack.md'), 'utf8'));
const suffix = systemWorld.uuid().slice(0, 8);
const [domain, flavor, image] = [`guide-${suffix}`, `guide-${suffix}.small`, `guide-${suffix}`];

let product: Product;
let cloud: Caller;
let terminal: Terminal;
const shown = new Map<string, string>();

beforeAll(async () => {
  cloud = await asAdministrator();
  product = await startProduct();
  const folder = dirname(product.state);
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const main = join(root, 'packages/unikorn/src/main.ts');
  writeFileSync(join(programs, 'unikorn'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  // The disk of the image. Its first sector ends like that of a disk that can be booted.
  const disk = Buffer.alloc(4096);
  disk.writeUInt16LE(0xaa55, 510);
  writeFileSync(join(folder, `${image}.raw`), disk);
  terminal = new Terminal(folder, {
    PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
  });
  await terminal.type(readFileSync(join(inject('cloudFolder'), 'openrc'), 'utf8'));
});

afterAll(async () => {
  terminal.close();
  await product.stop();
  // Where a command failed, things are still there.
  await removeDomain(cloud, domain);
  for (const { id, name } of (await cloud('compute', 'GET', '/flavors')).flavors)
    if (name === flavor) await cloud('compute', 'DELETE', `/flavors/${id}`);
  for (const { id } of (await cloud('image', 'GET', `/v2/images?name=${image}`)).images)
    await cloud('image', 'DELETE', `/v2/images/${id}`);
});

/** The block with the values, with others in their place. */
function withValues(replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((block, [name, value]) => {
    const pattern = new RegExp(String.raw`\b${name}=\S+`);
    expect(block).toMatch(pattern);
    return block.replace(pattern, `${name}=${value}`);
  }, values);
}

const again = '-- once more --';

/** A cloud that is too busy to answer within half a minute makes the check fail. Then an operator repeats it. */
function severalTimes(block: string): string {
  return `attempt=1\nuntil {\n${block}\n}; do\n  [ $((attempt++)) -lt 5 ]\n  echo '${again}'\ndone`;
}

/** The output of the block with this command. */
function answerTo(command: string): string {
  const [block] = blocks.filter((each) => each.includes(command));
  expect(block, `the guide has no block with: ${command}`).toBeDefined();
  return shown.get(block ?? '') ?? '';
}

async function domains(): Promise<readonly string[]> {
  return (await cloud('identity', 'GET', '/domains')).domains.map(({ name }: Json) => name);
}

describe('the guide to OpenStack regions, typed as it is written', () => {
  it('has values to replace', async () => {
    await terminal.type(withValues({ DOMAIN: domain, FLAVOR: flavor, IMAGE: image, UNIKORN_STATE: product.state }));
  });

  it.each(blocks.map((block, index) => [index + 1, block] as const))('%i: %s', async (_, block) => {
    const isChange = block.includes('openstack user set');
    shown.set(block, await terminal.type(block.includes('region check') ? severalTimes(block) : block));
    // The change of the password shows in that the region still works. Its tokens ended with the old password.
    if (isChange) await terminal.type('until unikorn flavor list --region west; do sleep 1; done');
  });
});

describe('the guide shows the promised results', () => {
  it('nothing is missing in the cloud', () => {
    const last = answerTo('region check').split(again).at(-1);
    expect(last).toMatch(/^ok +log in to the domain$/m);
    expect(last).not.toMatch(/^(missing|unknown)/m);
  });

  it('flavors and images of the cloud are offered', () => {
    expect(answerTo('unikorn flavor list')).toContain(flavor);
    expect(answerTo('unikorn image list')).toContain(image);
  });

  it('the first instance runs', () => {
    expect(answerTo('instance create hello')).toMatch(/^hello +provisioned +Running/m);
  });

  it('nothing is left in the end', async () => {
    expect(await domains()).not.toContain(domain);
  });
});
