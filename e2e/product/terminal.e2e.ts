import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { typedInPipe, typedInTerminal, type TypeOptions } from '../pty.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'unikorn-terminal-'));
const state = join(folder, 'state');
const bin = join(folder, 'bin');
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The public name of this server does not exist: all commands below use its loopback address. */
const server = new Unikorn(
  ['serve', '--port', '0', '--state', state, '--public-url', 'https://cloud.invalid', '--log-level', 'silent'],
  { UNIKORN_PARENT: String(process.pid) },
  folder,
);

const env = {
  PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  HOME: folder,
  TERM: 'xterm',
  UNIKORN_STATE: state,
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.compiled'),
};

beforeAll(async () => {
  mkdirSync(bin);
  const main = join(import.meta.dirname, '../../packages/unikorn/src/main.ts');
  program('unikorn', `exec '${process.execPath}' '${main}' "$@"`);
  // Tells how it was called, whether its key is private, and ends with a code of its own.
  program(
    'ssh',
    [
      `echo "called with: $*"`,
      `while [ $# -gt 0 ]; do [ "$1" = -i ] && { stat -c 'mode %a' "$2"; head -c 10 "$2"; echo; echo "key: $2"; }; shift; done`,
      'exit 42',
    ].join('\n'),
  );
  await server.ready();
  await eventually('unikorn instance watch web-1 --until provisioned');
  await eventually('unikorn instance watch web-2 --until provisioned');
});

afterAll(async () => {
  await server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, text: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
}

async function eventually(command: string): Promise<void> {
  expect(await pipe(command)).toMatchObject({ code: 0 });
}

function terminal(command: string, options: Omit<TypeOptions, 'env'> = {}) {
  return typedInTerminal(command, { env, cwd: folder, ...options });
}

function pipe(command: string) {
  return typedInPipe(command, { env, cwd: folder });
}

describe('a table', () => {
  it.each([
    'unikorn instance list',
    'unikorn instance list --all-projects',
    'unikorn instance list -o wide --all-projects',
    'unikorn network list --all-projects',
    'unikorn securitygroup list',
    'unikorn group list',
    'unikorn user list',
    'unikorn image list',
    'unikorn flavor list -o wide',
    'unikorn role list',
    'unikorn quota list -o wide',
    'unikorn activity --all-projects',
    'unikorn instance history web-1',
  ])('is not wider than a terminal of 80 columns: %s', async (command) => {
    const { code, output } = await terminal(command);
    expect(code).toBe(0);
    const table = output.split('\n').filter((line) => !/^(?:using the server|the terminal is too narrow)/.test(line));
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(table.length).toBeGreaterThan(2);
  });

  it('shows the project if there may be several, also where space is short', async () => {
    expect((await terminal('unikorn instance list --all-projects')).output).toMatch(/NAME +STATUS +PROJECT/);
    expect((await pipe('unikorn instance list --all-projects')).stdout).toMatch(/PROJECT.*IMAGE.*NETWORK/);
  });

  it.each([terminal, pipe])('has the columns and the order that the user chose', async (type) => {
    const { code, output } = await type('unikorn instance list --columns name,flavor --sort=-name --no-headers');
    expect(code).toBe(0);
    expect(output).toMatch(/^web-2 +sim-standard-4\nweb-1 +sim-standard-4$/m);
    expect(await type('unikorn instance list --columns flavour')).toMatchObject({
      code: 2,
      output: expect.stringContaining('did you mean flavor?') as string,
    });
  });

  it('that is live shows how ages change', async () => {
    const { output } = await terminal('unikorn network watch frontend', {
      // Two different ages were drawn. Then Ctrl-C.
      answers: [[/frontend .* (\d+m?\d*s)[^]*frontend .* (?!\1)\d+m?\d*s/, '\u0003']],
    });
    expect(output).toMatch(/frontend/);
  });

  it('in a pipe is followed by lines that say what has changed', async () => {
    const { stdout } = await pipe(
      [
        'unikorn instance watch web-2 > lines & watch=$!',
        // The change happens after the watch has begun.
        'until grep -q added lines; do sleep 0.1; done',
        'unikorn instance stop web-2 > /dev/null',
        'until grep -q "power Running → Stopp" lines; do sleep 0.1; done',
        'kill -INT $watch; cat lines',
      ].join('\n'),
    );
    expect(stdout).toMatch(/modified web-2 provisioned: power Running → Stopp/);
    await eventually('unikorn instance start web-2');
  });
});

describe('messages', () => {
  it.each([terminal, pipe])('name resources', async (type) => {
    const refused = await type('unikorn network delete frontend');
    expect(refused.code).toBe(3);
    expect(refused.output).toMatch(/network frontend is in use by instance web-\d and instance web-\d: /);
    expect(refused.output).not.toMatch(uuid);
    const quota = await type('unikorn quota get servers');
    expect(quota.output).toMatch(/instance web-1 +website/);
    expect(quota.output).not.toMatch(uuid);
    expect((await type('unikorn whoami')).output).not.toMatch(uuid);
  });

  it('say who can raise a quota', async () => {
    const refused = await pipe(
      'for n in 1 2 3 4; do unikorn network create full-$n --prefix 10.9$n.0.0/24 || break; done; for n in 1 2 3 4; do unikorn network delete full-$n --yes; done',
    );
    expect(refused.stderr).toMatch(
      /would exceed quota limit of 5\n.*\na platform administrator can raise the limit: unikorn quota update networks=6\n/,
    );
  });

  it.each([terminal, pipe])('contain the flags and the executable that the next command needs', async (type) => {
    expect((await type('unikorn instance get nowhere --project research')).output).toContain(
      ': unikorn instance list --project research',
    );
    expect((await type('npm_command=exec unikorn instance get nowhere')).output).toContain(
      ': npx unikorn instance list',
    );
  });
});

describe('files', () => {
  it('that get prints are accepted', async () => {
    expect(
      await pipe(
        'unikorn instance get web-1 -o yaml > got.yaml && unikorn diff -f got.yaml && unikorn apply -f got.yaml',
      ),
    ).toMatchObject({ code: 0, stdout: 'instance/web-1 unchanged\n' });
  });
});

describe('a deletion', () => {
  it('is refused in a pipe, and asks in a terminal, with what is lost', async () => {
    await eventually(
      'unikorn network create doomed --prefix 10.55.0.0/24 && unikorn securitygroup create inner --network doomed',
    );
    const loss = /network doomed, and with it everything in it: securitygroup inner/;
    const refused = await pipe('unikorn network delete doomed');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(loss);
    const declined = await terminal('unikorn network delete doomed', { answers: [[/\[y\/N\]/, 'n\n']] });
    expect(declined.code).toBe(3);
    expect(declined.output.replaceAll('\n', '')).toMatch(loss);
    expect(await pipe('unikorn network get doomed -o name')).toMatchObject({ code: 0 });
    expect(await terminal('unikorn network delete doomed', { answers: [[/\[y\/N\]/, 'y\n']] })).toMatchObject({
      code: 0,
    });
    expect(await pipe('unikorn network get doomed -o name')).toMatchObject({ code: 4 });
  });

  it.each([
    'instance web-1',
    'securitygroup web',
    'sshca team',
    'user bob@example.com',
    'group readers',
    'project website',
  ])('of every noun asks: %s', async (resource) => {
    expect(await pipe(`unikorn ${resource.replace(' ', ' delete ')}`)).toMatchObject({
      output: expect.stringMatching(/add --yes|is in use/) as string,
    });
    expect(await pipe(`unikorn ${resource.replace(' ', ' get ')}`)).toMatchObject({ code: 0 });
  });
});

describe('the verbs of a machine', () => {
  it.each([terminal, pipe])('ssh runs the ssh of this machine with a key that is removed afterwards', async (type) => {
    const { code, output } = await type('unikorn instance ssh web-1 -- -L 8080:localhost:80 uptime');
    expect(code).toBe(42);
    expect(output).toMatch(
      /called with: -i \S+ -o IdentitiesOnly=yes -o UserKnownHostsFile=\S+ -o HostKeyAlias=\S+ -o StrictHostKeyChecking=accept-new debian@198\.\S+ -L 8080:localhost:80 uptime/,
    );
    expect(output).toContain('mode 600\n-----BEGIN');
    const key = /key: (\S+)/.exec(output)?.[1] ?? '';
    expect(existsSync(dirname(key))).toBe(false);
    expect(key).toMatch(/unikorn-ssh-/);
  });

  it('ssh uses the certificates of the user for an instance that trusts an authority', async () => {
    await eventually(
      'unikorn instance create trusting --network frontend --flavor sim-standard-2 --image debian-13-amd64 --ssh-ca team --public-ip',
    );
    const { code, output } = await pipe('unikorn instance ssh trusting --user admin');
    expect(code).toBe(42);
    expect(output).toMatch(/called with: -o UserKnownHostsFile=.* admin@198\./);
    await eventually('unikorn instance delete trusting --yes');
  });

  it.each([terminal, pipe])(
    'resize shows what happens, and every region has several sizes of a family',
    async (type) => {
      for (const region of ['north', 'south'])
        expect(
          (await type(`unikorn flavor list --region ${region} --columns name`)).output.match(/sim-standard-\d+/g),
        ).toEqual(expect.arrayContaining(['sim-standard-2', 'sim-standard-4', 'sim-standard-8', 'sim-standard-16']));
      const planned = await type('unikorn instance resize web-1 sim-standard-8 --dry-run');
      expect(planned.output).toMatch(/flavor +sim-standard-4 +sim-standard-8/);
      expect(await pipe('unikorn instance resize web-1 sim-standard-8')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('--yes') as string,
      });
    },
  );

  it.each([terminal, pipe])('create names all missing flags', async (type) => {
    const { code, output } = await type('unikorn instance create bare');
    expect(code).toBe(2);
    expect(output).toMatch(/--network <name or id>, --flavor <name or id>, --image <name or id>/);
  });

  it('a load balancer has instances as members, and a size has a unit', async () => {
    await eventually(
      'unikorn loadbalancer create entry --network frontend --listener http:tcp:80=web-1:8080,web-2:8080',
    );
    const made = await pipe('unikorn loadbalancer get entry -o json');
    const address = (await pipe('unikorn instance get web-1 -o json')).stdout.match(/"privateIP": "([\d.]+)"/)?.[1];
    expect(made.stdout).toContain(`"address": "${address}"`);
    await eventually('unikorn loadbalancer delete entry --yes');
    await eventually('unikorn filestorage create shared --size 100GiB --class files-north');
    expect((await pipe('unikorn filestorage list')).stdout).toContain('100 GiB');
    await eventually('unikorn filestorage delete shared --yes');
  });
});

describe('the server of this machine', () => {
  it.each([terminal, pipe])('is used by its loopback address before its name exists', async (type) => {
    expect(await type('unikorn status')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/Control plane: +http:\/\/127\.0\.0\.1:\d+/) as string,
    });
  });

  it.each([terminal, pipe])('is told to speak http, if it does', async (type) => {
    const { local = '' } = JSON.parse(readFileSync(join(state, 'credentials.json'), 'utf8')) as { local?: string };
    const host = local.replace('http://', '');
    const { code, output } = await type(`unikorn login ${host} --device`);
    expect(code).not.toBe(0);
    expect(output).toContain('does not speak https');
    expect(output).toContain(`unikorn login http://${host}`);
  });

  it('answers probes at its root, and its reference pages carry our name', async () => {
    const { local = '' } = JSON.parse(readFileSync(join(state, 'credentials.json'), 'utf8')) as { local?: string };
    for (const [path, said] of [
      ['/healthz', '{"status":"healthy"}'],
      ['/readyz', '{"status":"ready"}'],
      ['/metrics', 'process_resident_memory_bytes'],
      ['/compute/docs/', '<title>Unikorn compute API</title>'],
    ] as const) {
      const read = 'fetch(process.argv[1]).then(async (answer) => console.log(answer.status, await answer.text()))';
      const { stdout } = await pipe(`node -e '${read}' '${local}${path}'`);
      expect(stdout).toMatch(/^200 /);
      expect(stdout).toContain(said);
    }
  });
});

describe('the script of the guide', () => {
  it('runs on the Node of the checkout, as the guide says', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/sdk.md'), 'utf8');
    const [, script = ''] = /^```ts\n(.*?)^```$/ms.exec(guide) ?? [];
    // It must be in the checkout, where the SDK is found.
    const place = mkdtempSync(join(import.meta.dirname, 'guide-'));
    try {
      writeFileSync(join(place, 'create.ts'), script);
      symlinkSync(state, join(place, '.unikorn'));
      const ran = await typedInPipe('node create.ts', { env, cwd: place });
      // The public address of this server does not exist.
      expect(ran.stderr).toContain('cloud.invalid');
      const { local = '' } = JSON.parse(readFileSync(join(state, 'credentials.json'), 'utf8')) as { local?: string };
      writeFileSync(join(place, 'create.ts'), script.replace('endpoints, token })', `endpoints: '${local}', token })`));
      expect(await typedInPipe('node create.ts', { env, cwd: place })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/provisioned[^]*\n10\.0\.0\.\d+\n$/) as string,
      });
      expect(await pipe('unikorn instance delete from-a-script --yes')).toMatchObject({ code: 0 });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});
