import { Type, type Static } from 'typebox';

/** The login of a simulated machine: who is logged in, and the line that is being typed. */
export const Shell = Type.Object({
  stage: Type.Union([Type.Literal('login'), Type.Literal('password'), Type.Literal('shell')]),
  user: Type.String(),
  line: Type.String(),
  /** Whether the input is inside an escape sequence, such as an arrow key. */
  escape: Type.Union([Type.Literal('none'), Type.Literal('begun'), Type.Literal('open')]),
});
export type Shell = Readonly<Static<typeof Shell>>;

export const loggedOut: Shell = { stage: 'login', user: '', line: '', escape: 'none' };

/** The facts about a machine that its commands show. */
export interface Guest {
  readonly name: string;
  readonly imageId: string;
  readonly privateIP: string;
  readonly macAddress: string;
  readonly up_s: number;
  /** RFC 3339. */
  readonly now: string;
  /** The messages of the boot. */
  readonly log: readonly string[];
}

interface Typed {
  readonly shell: Shell;
  /** The text that appears on the console. */
  readonly shown: string;
}

/** A line has at most this many characters; further ones are ignored, as by a real terminal. */
const lineLength = 1_000;

/**
 * The console after some input. Every character is echoed, except those of the password. Any user and password can log
 * in: it is a simulation.
 *
 * @example typed(loggedOut, 'ann\r', guest).shown; // 'ann\r\nPassword: '
 */
export function typed(shell: Shell, input: string, guest: Guest): Typed {
  let current = shell;
  let shown = '';
  for (const character of input) {
    const next = afterKey(current, character, guest);
    current = next.shell;
    shown += next.shown;
  }
  return { shell: current, shown };
}

export function loginPrompt({ name }: Pick<Guest, 'name'>): string {
  return `${name} login: `;
}

function prompt({ user }: Shell, { name }: Guest): string {
  return user === 'root' ? `root@${name}:~# ` : `${user}@${name}:~$ `;
}

function afterKey(shell: Shell, key: string, guest: Guest): Typed {
  if (shell.escape !== 'none') return { shell: { ...shell, escape: afterEscape(shell.escape, key) }, shown: '' };
  const echo = (text: string) => (shell.stage === 'password' ? '' : text);
  switch (key) {
    case '\x1b':
      return { shell: { ...shell, escape: 'begun' }, shown: '' };
    case '\r':
    case '\n':
      return entered(shell, guest);
    case '\x7f':
    case '\b':
      return shell.line === ''
        ? { shell, shown: '' }
        : { shell: { ...shell, line: shell.line.slice(0, -1) }, shown: echo('\b \b') };
    case '\x03':
      return again(shell, '^C\r\n', guest);
    case '\x04':
      return shell.stage === 'shell' && shell.line === '' ? leave('logout\r\n', guest) : { shell, shown: '' };
    case '\x0c':
      return shell.stage === 'shell'
        ? { shell, shown: `\x1b[H\x1b[2J${prompt(shell, guest)}${shell.line}` }
        : { shell, shown: '' };
    case '\x15':
      return { shell: { ...shell, line: '' }, shown: echo('\b \b'.repeat(shell.line.length)) };
    default:
      return key < ' ' || shell.line.length >= lineLength
        ? { shell, shown: '' }
        : { shell: { ...shell, line: shell.line + key }, shown: echo(key) };
  }
}

/** `ESC [` begins a sequence that a letter or `~` ends. `ESC` with another character is one key. */
function afterEscape(escape: 'begun' | 'open', key: string): Shell['escape'] {
  if (escape === 'begun') return key === '[' || key === 'O' ? 'open' : 'none';
  return /[A-Za-z~]/.test(key) ? 'none' : 'open';
}

/** A new prompt, and an empty line. */
function again(shell: Shell, shown: string, guest: Guest): Typed {
  if (shell.stage !== 'shell') return leave(shown, guest);
  return { shell: { ...shell, line: '' }, shown: `${shown}${prompt(shell, guest)}` };
}

function leave(shown: string, guest: Guest): Typed {
  return { shell: loggedOut, shown: `${shown}\r\n${loginPrompt(guest)}` };
}

function entered(shell: Shell, guest: Guest): Typed {
  switch (shell.stage) {
    case 'login': {
      const user = shell.line.trim().slice(0, 32);
      if (user === '') return { shell: loggedOut, shown: `\r\n${loginPrompt(guest)}` };
      return { shell: { ...loggedOut, stage: 'password', user }, shown: '\r\nPassword: ' };
    }
    case 'password': {
      const next: Shell = { ...loggedOut, stage: 'shell', user: shell.user };
      return { shell: next, shown: `\r\n${welcome(guest)}${prompt(next, guest)}` };
    }
    case 'shell':
      return ran(shell, guest);
  }
}

function welcome({ now }: Guest): string {
  return lines([
    'Welcome to a simulated machine (GNU/Linux 6.8.0-simulated x86_64)',
    '',
    `Last login: ${now} on ttyS0`,
    'Type "help" for the commands of this machine.',
  ]);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\r\n`).join('');
}

function ran(shell: Shell, guest: Guest): Typed {
  const [command = '', ...words] = shell.line.trim().split(/\s+/);
  if (command === 'exit' || command === 'logout') return leave('\r\nlogout\r\n', guest);
  if (command === 'clear') return { shell: { ...shell, line: '' }, shown: `\r\n\x1b[H\x1b[2J${prompt(shell, guest)}` };
  const output =
    command === '' ? [] : (own(commands, command)?.(words, guest, shell) ?? [`${command}: command not found`]);
  return again(shell, `\r\n${lines(output)}`, guest);
}

type Command = (words: readonly string[], guest: Guest, shell: Shell) => readonly string[];

const files: Readonly<Record<string, (guest: Guest) => readonly string[]>> = {
  '/etc/hostname': ({ name }) => [name],
  '/etc/os-release': ({ imageId }) => ['NAME="Simulated Linux"', 'ID=simulated', `IMAGE_ID="${imageId}"`],
  'readme.txt': () => ['This machine is simulated. It has a console, and nothing else.'],
};

const commands: Readonly<Record<string, Command>> = {
  help: () => [`The commands are: ${[...Object.keys(commands), 'clear', 'exit', 'logout'].toSorted().join(', ')}.`],
  echo: (words) => [words.join(' ')],
  cat: (words, guest) =>
    words.flatMap((file) => own(files, file)?.(guest) ?? [`cat: ${file}: No such file or directory`]),
  date: (_words, { now }) => [now],
  dmesg: (_words, { log }) => log,
  hostname: (_words, { name }) => [name],
  id: (_words, _guest, { user }) => [
    user === 'root' ? 'uid=0(root) gid=0(root)' : `uid=1000(${user}) gid=1000(${user})`,
  ],
  ip: (_words, { privateIP, macAddress }) => [
    '1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536',
    '    inet 127.0.0.1/8 scope host lo',
    '2: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500',
    `    link/ether ${macAddress}`,
    `    inet ${privateIP} scope global eth0`,
  ],
  ls: () => ['readme.txt'],
  pwd: (_words, _guest, { user }) => [user === 'root' ? '/root' : `/home/${user}`],
  uname: (words, { name }) => [words.length > 0 ? `Linux ${name} 6.8.0-simulated x86_64 GNU/Linux` : 'Linux'],
  uptime: (_words, { up_s }) => [`up ${Math.floor(up_s / 3600)} hours, ${Math.floor(up_s / 60) % 60} minutes, 1 user`],
  whoami: (_words, _guest, { user }) => [user],
};

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
