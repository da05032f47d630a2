import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { programOf } from '../index.ts';
import { fakeTerminal } from '../testing/product.ts';
import { complete } from './complete.ts';
import { scripts } from './scripts.ts';

const program = await programOf(fakeTerminal());
program.command('backup').argument('<folder>');

const at = (...words: readonly string[]) => complete(program, words);

function wordsAt(...words: readonly string[]): readonly string[] {
  const completion = at(...words);
  return completion.kind === 'words' ? completion.candidates.map(({ value }) => value) : [completion.kind];
}

describe('the next word', () => {
  it('can be a command, but not a hidden one', () => {
    expect(wordsAt('')).toEqual(expect.arrayContaining(['instance', 'network', 'login', 'context', 'completion']));
    expect(wordsAt('')).not.toContain('__complete');
  });

  it('can be a verb of the noun, also after its plural or an alias', () => {
    for (const noun of ['instance', 'instances', 'vm'])
      expect(wordsAt(noun, '')).toEqual(expect.arrayContaining(['list', 'create', 'explain']));
  });

  it('can be a flag of the command or of every command, but not one that was given', () => {
    expect(wordsAt('instance', 'create', '--')).toEqual(
      expect.arrayContaining(['--network', '--flavor', '--project', '--output', '--help']),
    );
    expect(wordsAt('instance', 'create', '--network', 'web', '--output=json', '--')).not.toEqual(
      expect.arrayContaining(['--network']),
    );
    expect(wordsAt('instance', 'create', '-o', 'json', '--')).not.toContain('--output');
  });

  it('can be a repeated flag', () => {
    expect(wordsAt('instance', 'create', '--security-group', 'web', '--')).toContain('--security-group');
  });

  it('can be one of the values of a flag or argument', () => {
    expect(wordsAt('instance', 'list', '-o', '')).toEqual(['table', 'wide', 'json', 'yaml', 'name']);
    expect(wordsAt('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('can be the name of a resource, in the scope of the flags', () => {
    expect(at('instance', 'get', '')).toMatchObject({ kind: 'names', noun: { name: 'instance' } });
    expect(at('instance', 'delete', 'web-1', '')).toMatchObject({ kind: 'names', noun: { name: 'instance' } });
    expect(at('region', 'drift', 'north', '')).toMatchObject({ kind: 'names', noun: { name: 'instance' } });
    expect(at('instance', 'resize', 'web-1', '')).toMatchObject({ kind: 'names', noun: { name: 'flavor' } });
    expect(at('instance', 'create', 'x', '--flavor', '')).toMatchObject({ kind: 'names', noun: { name: 'flavor' } });
    expect(at('--context', 'lab', 'network', 'get', '--project=web', '')).toMatchObject({
      kind: 'names',
      noun: { name: 'network' },
      options: { context: 'lab', project: 'web' },
    });
    expect(at('instance', 'list', '--region', '')).toMatchObject({ kind: 'names', noun: { name: 'region' } });
  });

  it('has no suggestions for a new name', () => {
    expect(wordsAt('network', 'create', '')).toEqual([]);
    expect(wordsAt('instance', 'get', '--', '-')).toEqual(['names']);
  });

  it('can be a context', () => {
    for (const words of [
      ['context', 'use', ''],
      ['logout', ''],
      ['status', '--context', ''],
    ])
      expect(at(...words).kind).toBe('contexts');
    expect(wordsAt('context', 'rename', 'a', '')).toEqual([]);
  });

  it('can be a file', () => {
    expect(at('backup', '').kind).toBe('files');
    expect(at('apply', '-f', '').kind).toBe('files');
    expect(at('instance', 'create', 'x', '--user-data', '').kind).toBe('files');
  });
});

describe('the script for bash', () => {
  /** The completions of bash for a line, given this answer of the program. */
  async function offered(line: string, answer: string): Promise<readonly string[]> {
    const session = `
      unikorn() { printf '%s' "$ANSWER"; }
      ${scripts.bash}
      COMP_LINE=$LINE COMP_POINT=\${#LINE}
      _unikorn
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', session], {
      env: { LINE: line, ANSWER: answer, PATH: process.env['PATH'] },
      cwd: import.meta.dirname,
    });
    return stdout.split('\n').filter((each) => each !== '');
  }

  it('offers the values with the same beginning, without descriptions', async () => {
    expect(await offered('unikorn inst', 'instance\ta virtual machine\nnetwork\tx\n')).toEqual(['instance']);
    expect(await offered('unikorn instance get ', 'web-1\t\nweb-2\t\n')).toEqual(['web-1', 'web-2']);
  });

  it('continues after a colon or equals sign, where bash begins a new word', async () => {
    expect(await offered('unikorn context use 127.0.0.1:8', '127.0.0.1:8080\t\n')).toEqual(['8080']);
  });

  it('offers files for file arguments', async () => {
    expect(await offered('unikorn apply -f scr', ':files\n')).toEqual(['scripts.ts']);
  });
});
