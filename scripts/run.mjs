// Runs a command of this workspace on a machine with any Node (20 or newer) and npm. It installs the runtime and the
// dependencies first if they are missing. It is plain JavaScript, because it runs before both.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
/** Runs our TypeScript directly, and includes SQLite and Argon2. */
const wanted = { major: 24, minor: 7 };

/** Only signals that cannot be handled end this process before its child. */
const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function say(text) {
  process.stderr.write(`${text}\n`);
}

/** The flags and environment of our own programs. */
const programs = {
  // A larger space for young objects is not faster, and an idle server keeps the memory. The heap is collected when it
  // has grown by 60 percent. By default the engine waits until it is four times as large, and a busy server with 100 MB
  // of objects takes 550 MB.
  flags: ['--max-semi-space-size=16', '--heap-growing-percent=60'],
  environment: {
    // Compiled code is cached: the next start takes half the time and a third less memory.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.compiled'),
    // Without a fixed threshold, glibc keeps the memory of a large allocation, such as the 19 MiB of a password hash,
    // for the next one.
    MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? String(4 * 2 ** 20),
  },
};

function run(command, args, { runtimeDirectory, stdio = 'inherit', environment = {} }) {
  const path = [
    ...(runtimeDirectory ? [runtimeDirectory] : []),
    join(root, 'node_modules', '.bin'),
    process.env.PATH ?? '',
  ].join(delimiter);
  const child = spawn(command, args, {
    env: { ...process.env, PATH: path, ...environment },
    stdio,
    shell: windows,
  });
  const forward = (signal) => child.kill(signal);
  // npm does not forward every signal before it ends, so this process checks whether its parent still exists.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000).unref();
  for (const signal of forwarded) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      for (const name of forwarded) process.off(name, forward);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

async function install(directory, what, options) {
  const lock = readFileSync(join(directory, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex');
  const stamp = join(directory, 'node_modules', '.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return false;
  say(`setting up: ${what}`);
  const code = await run('npm', ['ci', '--prefix', directory, '--ignore-scripts', '--loglevel', 'error'], {
    ...options,
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) {
    say(`setting up failed: npm ci in ${directory} ended with exit code ${code}. Is the npm registry reachable?`);
    process.exit(1);
  }
  writeFileSync(stamp, digest);
  return true;
}

function runProgram(file, args, { environment, ...options }) {
  return run('node', [...programs.flags, join(root, file), ...args], {
    ...options,
    environment: { ...programs.environment, ...environment },
  });
}

/**
 * Starts a server with the wrong parent id, so that it ends as soon as it is ready. Its compile cache makes the first
 * real start as fast and small as all others.
 */
async function compile(options) {
  say('setting up: compiling');
  await runProgram('packages/unikorn/src/main.ts', ['serve', '--ephemeral', '--no-demo', '--port', '0'], {
    ...options,
    stdio: 'ignore',
    environment: { UNIKORN_PARENT: '0' },
  });
}

/** The folder of Node 24's binary from the registry; undefined if the current Node is new enough. */
async function runtime() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > wanted.major || (major === wanted.major && minor >= wanted.minor)) return undefined;
  const directory = join(root, 'runtime');
  await install(directory, `Node ${wanted.major} from the registry (this machine has ${process.version})`, {});
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const binaries = join(directory, 'node_modules', `node-${platform}`, 'bin');
  if (!existsSync(join(binaries, windows ? 'node.exe' : 'node'))) {
    say(
      `There is no Node ${wanted.major} for ${platform} in the registry: install Node ${wanted.major}.${wanted.minor} or newer and run this again.`,
    );
    process.exit(1);
  }
  return binaries;
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Two first commands at the same time must not install into the same folder. */
async function exclusively(work) {
  const lock = join(root, '.setup-lock');
  const holder = join(lock, 'pid');
  for (let waiting = false; ; waiting = true) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const pid = existsSync(holder) ? Number(readFileSync(holder, 'utf8')) : undefined;
      if (pid !== undefined && !alive(pid)) {
        rmSync(lock, { recursive: true, force: true });
        continue;
      }
      if (!waiting) say('waiting for another command to finish setting up');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  writeFileSync(holder, String(process.pid));
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

const [command, ...args] = process.argv.slice(2);
if (!command) {
  say('usage: node scripts/run.mjs <command or .ts file> [arguments]');
  process.exit(2);
}
const runtimeDirectory = await exclusively(async () => {
  const directory = await runtime();
  const options = { runtimeDirectory: directory };
  if (await install(root, 'dependencies', options)) await compile(options);
  return directory;
});
// Our programs may end together with this process; a program that a test starts has another parent.
process.exit(
  /\.m?[jt]s$/.test(command)
    ? await runProgram(command, args, { runtimeDirectory, environment: { UNIKORN_PARENT: String(process.pid) } })
    : await run(command, args, { runtimeDirectory, environment: { UNIKORN_PARENT: undefined } }),
);
