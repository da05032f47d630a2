// Runs a command of this workspace on a machine with any Node (20 or newer) and npm. It installs the runtime and the
// dependencies first if they are missing. It is plain JavaScript, because it runs before both.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as modules from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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

/** The program needs neither the tools of developers nor those that build the console. */
const program = 'packages/unikorn/src/main.ts';

/** The stamp of an installation is the digest of the lock file, and these words if the tools are missing. */
const withoutTools = ' without tools';

function digestOf(directory) {
  return createHash('sha256')
    .update(readFileSync(join(directory, 'package-lock.json')))
    .digest('hex');
}

function stampOf(directory) {
  const stamp = join(directory, 'node_modules', '.installed');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

function isInstalled(directory, { tools }) {
  const [stamp, digest] = [stampOf(directory), digestOf(directory)];
  return stamp === digest || (!tools && stamp === `${digest}${withoutTools}`);
}

async function install(directory, what, { tools = true, ...options }) {
  if (isInstalled(directory, { tools })) return false;
  const digest = digestOf(directory);
  // A server may run from this folder. The tools are added to it; only `npm ci` would remove what is there.
  const adds = stampOf(directory) === `${digest}${withoutTools}`;
  say(`setting up: ${adds ? 'tools' : what}`);
  const command = adds ? ['install', '--no-save', '--include=dev'] : ['ci', ...(tools ? [] : ['--omit=dev'])];
  const code = await run(
    'npm',
    [...command, '--prefix', directory, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'],
    { ...options, stdio: ['ignore', 2, 2] },
  );
  if (code !== 0) {
    say(
      `setting up failed: npm ${command[0]} in ${directory} ended with exit code ${code}. Is the npm registry reachable?`,
    );
    process.exit(1);
  }
  writeFileSync(join(directory, 'node_modules', '.installed'), `${digest}${tools ? '' : withoutTools}`);
  return !adds;
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
  await runProgram(program, ['serve', '--ephemeral', '--no-demo', '--port', '0'], {
    ...options,
    stdio: 'ignore',
    environment: { UNIKORN_PARENT: '0' },
  });
}

const runtimeFolder = join(root, 'runtime');

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > wanted.major || (major === wanted.major && minor >= wanted.minor);
}

function binariesOf(platform) {
  return join(runtimeFolder, 'node_modules', `node-${platform}`, 'bin');
}

function hasNode(binaries) {
  return existsSync(join(binaries, windows ? 'node.exe' : 'node'));
}

const platform = `${windows ? 'win' : process.platform}-${process.arch}`;

/** The folder of Node 24's binary from the registry; undefined if the current Node is new enough. */
async function runtime() {
  if (isNewEnough()) return undefined;
  await install(runtimeFolder, `Node ${wanted.major} from the registry (this machine has ${process.version})`, {});
  const binaries = binariesOf(platform);
  if (!hasNode(binaries)) {
    say(
      `There is no Node ${wanted.major} for ${platform} in the registry: install Node ${wanted.major}.${wanted.minor} or newer and run this again.`,
    );
    process.exit(1);
  }
  return binaries;
}

/** The same if nothing must be installed, without waiting for others. */
function preparedRuntime(tools) {
  if (!isInstalled(root, { tools })) return undefined;
  if (isNewEnough()) return { directory: undefined };
  const binaries = binariesOf(platform);
  return isInstalled(runtimeFolder, { tools: true }) && hasNode(binaries) ? { directory: binaries } : undefined;
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

/** Only the server needs the flags of a process of its own. All other commands of the program are short. */
function runsHere(command, [word], runtimeDirectory) {
  return command === program && word !== 'serve' && runtimeDirectory === undefined;
}

/** Runs a program in this process: a second one would take as long to start as the command itself. */
async function runHere(command) {
  modules.enableCompileCache(programs.environment.NODE_COMPILE_CACHE);
  process.argv.splice(1, 2, join(root, command));
  await import(pathToFileURL(join(root, command)).href);
}

const [command, ...args] = process.argv.slice(2);
if (!command) {
  say('usage: node scripts/run.mjs <command or .ts file> [arguments]');
  process.exit(2);
}
const tools = command !== program;
const prepared = preparedRuntime(tools);
const runtimeDirectory = prepared
  ? prepared.directory
  : await exclusively(async () => {
      const directory = await runtime();
      const options = { runtimeDirectory: directory };
      if (await install(root, 'dependencies', { ...options, tools })) await compile(options);
      return directory;
    });
if (runsHere(command, args, runtimeDirectory)) await runHere(command);
// Our programs may end together with this process; a program that a test starts has another parent.
else
  process.exit(
    /\.m?[jt]s$/.test(command)
      ? await runProgram(command, args, { runtimeDirectory, environment: { UNIKORN_PARENT: String(process.pid) } })
      : await run(command, args, { runtimeDirectory, environment: { UNIKORN_PARENT: undefined } }),
  );
