// Draws docs/images/start.svg from the real output of the product: `node scripts/terminal-picture.ts`, with port 8080
// free.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = dirname(import.meta.dirname);
const commands = [
  'instance create mine --network frontend --flavor sim-standard-4 --image debian-13-amd64',
  'instance explain trainer --project research',
  'instance plan mine --image ubuntu-24.04-amd64',
];

const character = { width: 8.4, height: 19 };
const margin = 18;
const titleBar = 34;
const foreground = '#f8f8f2';
/** The colours by their terminal numbers. */
const colours: Readonly<Record<string, string>> = {
  31: '#ff5555',
  32: '#50fa7b',
  33: '#f1fa8c',
  36: '#8be9fd',
  39: foreground,
};

const colourCode = new RegExp(String.raw`${String.fromCodePoint(27)}\[(\d+)m`);

function unikorn(folder: string, args: readonly string[]): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [join(root, 'packages/unikorn/src/main.ts'), ...args], {
    cwd: folder,
    env: { PATH, HOME: folder, FORCE_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The output of both streams, until the end or until it contains a text. */
async function outputOf(child: ChildProcess, until?: string): Promise<string> {
  let output = '';
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, ...(until === undefined ? [child.stderr] : [])]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (until !== undefined && output.includes(until)) resolve();
      });
    }
    child.on('close', resolve);
  });
  return output;
}

/** A session of a user who starts the server in a folder, and types commands in another terminal. */
async function session(folder: string): Promise<string> {
  const server = unikorn(folder, ['serve']);
  try {
    const banner = await outputOf(server, 'Ctrl-C');
    if (!banner.includes('is ready at')) throw new Error('the server does not start: is port 8080 free?');
    const parts = [`$ npm start\n${banner.trimEnd()}`];
    for (const command of commands)
      parts.push(`$ npx unikorn ${command}\n${(await outputOf(unikorn(folder, command.split(' ')))).trimEnd()}`);
    return parts.join('\n\n').replaceAll(folder, '~/unikorn');
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The parts of a line between its colour codes, with their styles. */
function spans(line: string): string {
  let [fill, opacity, weight] = [line.startsWith('$ ') ? '#8be9fd' : foreground, '1', 'normal'];
  return line
    .split(colourCode)
    .map((part, index) => {
      if (index % 2 === 0)
        return part === ''
          ? ''
          : `<tspan fill="${fill}" opacity="${opacity}" font-weight="${weight}">${escaped(part)}</tspan>`;
      fill = colours[part] ?? fill;
      if (part === '2') opacity = '0.6';
      if (part === '1') weight = 'bold';
      if (part === '22') [opacity, weight] = ['1', 'normal'];
      return '';
    })
    .join('');
}

function picture(text: string): string {
  const lines = text.split('\n');
  const width = Math.max(...lines.map((line) => stripVTControlCharacters(line).length)) * character.width + 2 * margin;
  const height = lines.length * character.height + titleBar + 2 * margin;
  const rows = lines.map(
    (line, row) =>
      `<text x="${margin}" y="${(titleBar + margin + (row + 0.8) * character.height).toFixed(1)}" xml:space="preserve">${spans(line)}</text>`,
  );
  const buttons = ['#ff5555', '#f1fa8c', '#50fa7b'].map(
    (fill, index) => `<circle cx="${margin + 6 + index * 20}" cy="17" r="6" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="#282a36"/>`,
    ...buttons,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}

const home = mkdtempSync(join(tmpdir(), 'unikorn-picture-'));
try {
  const folder = join(home, 'unikorn');
  mkdirSync(folder);
  writeFileSync(join(root, 'docs/images/start.svg'), picture(await session(folder)));
} finally {
  rmSync(home, { recursive: true, force: true });
}
