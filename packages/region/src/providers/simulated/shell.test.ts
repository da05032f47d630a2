import { describe, expect, it } from 'vitest';

import { loggedOut, typed, type Shell } from './shell.ts';

const guest = {
  name: 'web',
  imageId: 'ubuntu',
  privateIP: '10.0.0.5',
  macAddress: '02:00:00:00:00:01',
  up_s: 3700,
  now: '2026-01-01T00:00:00Z',
  log: ['[ 0] Linux'],
};

function shownFor(input: string, shell: Shell = loggedOut): string {
  return typed(shell, input, guest).shown;
}

const ann: Shell = { stage: 'shell', user: 'ann', line: '', escape: 'none' };

describe('the login of a simulated machine', () => {
  it('echoes the name, hides the password, and greets', () => {
    expect(shownFor('ann\rsecret\r')).toMatch(/^ann\r\nPassword: \r\nWelcome to a simulated machine.*ann@web:~\$ $/s);
  });

  it('asks again for an empty name', () => {
    expect(shownFor('\r')).toBe('\r\nweb login: ');
  });

  it('is shown again after the user leaves', () => {
    for (const input of ['exit\r', 'logout\r', '\x04'])
      expect(shownFor(input, ann)).toMatch(/logout\r\n\r\nweb login: $/);
    expect(typed(ann, 'exit\r', guest).shell).toEqual(loggedOut);
  });
});

describe('the commands of a simulated machine', () => {
  it.each([
    ['echo hello  world', 'hello world'],
    ['whoami', 'ann'],
    ['hostname', 'web'],
    ['uname -a', 'Linux web 6.8.0-simulated x86_64 GNU/Linux'],
    ['uptime', 'up 1 hours, 1 minutes, 1 user'],
    ['date', '2026-01-01T00:00:00Z'],
    ['cat /etc/hostname', 'web'],
    ['cat nothing', 'cat: nothing: No such file or directory'],
    ['pwd', '/home/ann'],
    ['dmesg', '[ 0] Linux'],
    ['rm -rf /', 'rm: command not found'],
    ['constructor', 'constructor: command not found'],
  ])('%s', (line, output) => {
    expect(shownFor(`${line}\r`, ann)).toBe(`${line}\r\n${output}\r\nann@web:~$ `);
  });

  it('are named by help', () => {
    expect(shownFor('help\r', ann)).toContain('cat, clear, date, dmesg, echo, exit');
  });
});

describe('the keys of a simulated machine', () => {
  it.each([
    ['backspace removes a character', 'whoo\x7fami\r', 'whoo\b \bami\r\nann\r\nann@web:~$ '],
    ['Ctrl-C drops the line', 'rm\x03', 'rm^C\r\nann@web:~$ '],
    ['Ctrl-U empties the line', 'rm\x15', 'rm\b \b\b \b'],
    ['arrow keys do nothing', '\x1b[A\x1bOBls\r', 'ls\r\nreadme.txt\r\nann@web:~$ '],
    ['an empty line shows the prompt', '\r', '\r\nann@web:~$ '],
  ])('%s', (_, input, shown) => {
    expect(shownFor(input, ann)).toBe(shown);
  });

  it('do not make a line endless', () => {
    expect(typed(ann, 'x'.repeat(5000), guest).shell.line).toHaveLength(1000);
  });
});
