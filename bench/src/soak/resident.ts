import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The resident memory of another process, read from the operating system: the process may be too busy to answer. */
export async function resident_MB(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib) * 1024) / 1e6;
  }
  return (Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) * 1024) / 1e6;
}
