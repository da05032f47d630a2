// Builds packages of plain JavaScript for npm: `unikorn` (the executable) and `@unikorn/sdk`. With `--image` it writes
// the workspace of the container image instead.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import ts from 'typescript';

import { manPages, type ManPage } from '@unikorn/cli/man';

import { wholeProgram } from './program.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const root = dirname(import.meta.dirname);
const output = join(root, 'dist');
/** The packages of the executable. */
const parts = ['core', 'identity', 'region', 'compute', 'sdk', 'cli', 'console'];
/** The sources need SQLite and Argon2, which Node 24 includes. */
const engines = { node: '>=24.7' };

const compilerOptions: ts.CompilerOptions = {
  ...ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )?.options,
  noEmit: false,
  allowImportingTsExtensions: false,
  rewriteRelativeImportExtensions: true,
};

const manifestOf = (part: string): Manifest =>
  JSON.parse(readFileSync(join(root, 'packages', part, 'package.json'), 'utf8')) as Manifest;
const writeJson = (path: string, content: object) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
};
const asJavaScript = (path: string) => path.replace(/\.ts$/, '.js');

/** The sources of the console that run in the server. The others are in the built pages. */
const servesConsole = /^src\/(server\/|build\/source-hash\.ts$)/;

/** The sources of a package without the files of its tests. */
function sourcesOf(part: string): string[] {
  return globSync('src/**/*.ts', { cwd: join(root, 'packages', part) }).filter(
    (path) => !/(\.test|\.fixture)\.ts$|(^|\/)testing\//.test(path) && (part !== 'console' || servesConsole.test(path)),
  );
}

function transpile(part: string, target: string): void {
  for (const path of sourcesOf(part)) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, 'packages', part, path), 'utf8'), {
      compilerOptions: {
        ...compilerOptions,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
      },
      fileName: path,
    });
    const file = join(target, asJavaScript(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, outputText);
  }
}

function exportsOf({ exports = {} }: Manifest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([name]) => !name.includes('testing'))
      .map(([name, path]) => [name, asJavaScript(path)]),
  );
}

const isOurs = (name: string) => name.startsWith('@unikorn/');

/** All parts in one package: they have the same version, and are not used separately. */
function stageExecutable(target: string, pages: readonly ManPage[]): void {
  const manifest = manifestOf('unikorn');
  const manifests = parts.map(manifestOf);
  const foreign = [manifest, ...manifests].flatMap(({ dependencies = {} }) =>
    Object.entries(dependencies).filter(([name]) => !isOurs(name)),
  );
  const bundled = manifests.map(({ name, version }) => [name, version] as const);
  transpile('unikorn', target);
  for (const [index, part] of parts.entries()) {
    const folder = join(target, 'node_modules/@unikorn', part);
    transpile(part, folder);
    const { name, version, license } = manifests[index] ?? manifest;
    writeJson(join(folder, 'package.json'), {
      name,
      version,
      license,
      type: 'module',
      exports: exportsOf(manifests[index] ?? manifest),
    });
  }
  cpSync(join(root, 'packages/console/dist'), join(target, 'node_modules/@unikorn/console/dist'), { recursive: true });
  writeJson(join(target, 'package.json'), {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    license: manifest.license,
    type: 'module',
    bin: { unikorn: './bin/unikorn.js' },
    man: pages.map(({ file }) => `./man/${file}`),
    engines,
    dependencies: Object.fromEntries<string>([...foreign.toSorted(([a], [b]) => a.localeCompare(b)), ...bundled]),
    bundleDependencies: manifests.map(({ name }) => name),
    files: ['bin', 'man', 'src'],
  });
  for (const folder of ['bin', 'man']) mkdirSync(join(target, folder), { recursive: true });
  for (const { file, content } of pages) writeFileSync(join(target, 'man', file), content);
  writeFileSync(join(target, 'bin/unikorn.js'), "#!/usr/bin/env node\nimport '../src/main.js';\n", { mode: 0o755 });
  finish('unikorn', target);
}

/** With type declarations, because it is a library. */
function stageSdk(target: string): void {
  const { name, version, description, license, dependencies = {} } = manifestOf('sdk');
  const program = ts.createProgram([join(root, 'packages/sdk/src/index.ts')], {
    ...compilerOptions,
    declaration: true,
    rootDir: join(root, 'packages/sdk/src'),
    outDir: join(target, 'src'),
  });
  const { diagnostics } = program.emit();
  if (diagnostics.length > 0)
    throw new Error(
      ts.formatDiagnostics(diagnostics, {
        getCanonicalFileName: (path) => path,
        getCurrentDirectory: () => root,
        getNewLine: () => '\n',
      }),
    );
  writeJson(join(target, 'package.json'), {
    name,
    version,
    description,
    license,
    type: 'module',
    exports: { '.': { types: './src/index.d.ts', default: './src/index.js' } },
    engines: { node: '>=20' },
    dependencies,
    files: ['src'],
  });
  finish('sdk', target);
}

function finish(part: string, target: string): void {
  cpSync(join(root, 'packages', part, 'README.md'), join(target, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', output], {
      cwd: target,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string; size: number }[];
  console.log(`wrote dist/${packed?.filename} (${Math.round((packed?.size ?? 0) / 1024)} KiB)`);
}

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly devDependencies?: object;
}

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>;
}

const readLock = (path: string): Lock => JSON.parse(readFileSync(join(root, path), 'utf8')) as Lock;

/**
 * The workspace in JavaScript and Node itself, with a lock file: `npm ci` installs exactly what was tested. Users of
 * the package `unikorn` get newer patches of indirect dependencies.
 */
function stageImage(target: string): void {
  const { version, license } = manifestOf('unikorn');
  const { '': about, ...nodes } = readLock('runtime/package-lock.json').packages;
  const optionalDependencies = about && 'optionalDependencies' in about ? about.optionalDependencies : {};
  const manifest = { name: 'unikorn-image', version, license, private: true, workspaces: ['packages/*'] };
  const lock = readLock('package-lock.json');
  const isMissing = (path: string) => /^(bench|examples)(\/|$)/.test(path);
  const kept = Object.entries({ ...lock.packages, ...nodes })
    .filter(([path, { dev, link, resolved = '' }]) => !dev && !isMissing(path) && !(link && isMissing(resolved)))
    .map(([path, locked]) => [path, { ...locked, devDependencies: undefined }] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const packages = { ...Object.fromEntries(kept), '': { ...manifest, optionalDependencies } };
  writeJson(join(target, 'package.json'), { ...manifest, optionalDependencies });
  writeJson(join(target, 'package-lock.json'), { ...lock, name: manifest.name, version, packages });
  for (const file of ['.npmrc', 'LICENSE']) cpSync(join(root, file), join(target, file));
  for (const part of [...parts, 'unikorn']) {
    const own = manifestOf(part);
    const folder = join(target, 'packages', part);
    transpile(part, folder);
    writeJson(join(folder, 'package.json'), {
      ...own,
      devDependencies: undefined,
      ...(own.exports ? { exports: exportsOf(own) } : {}),
      ...(part === 'unikorn' ? { bin: { unikorn: './src/main.js' } } : {}),
    });
  }
  cpSync(join(root, 'packages/console/dist'), join(target, 'packages/console/dist'), { recursive: true });
}

execFileSync(process.execPath, [join(root, 'packages/console/src/build/main.ts')], { stdio: 'inherit' });
rmSync(output, { recursive: true, force: true });
mkdirSync(output);
if (process.argv.includes('--image')) stageImage(join(output, 'image'));
else {
  const { version } = manifestOf('unikorn');
  const pages = manPages(await wholeProgram(), { version, date: new Date().toISOString().slice(0, 10) });
  stageExecutable(join(output, 'stage/unikorn'), pages);
  stageSdk(join(output, 'stage/sdk'));
  rmSync(join(output, 'stage'), { recursive: true });
}
