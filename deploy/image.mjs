// Makes the root file system of the image in a stage of deploy/Containerfile:
//   node deploy/image.mjs <folder of the installed application> <new root>
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const [application, root] = process.argv.slice(2);
const user = 1000;
/** Debian packages: the libraries that Node is linked with, and the folders and release files of a Debian system. */
const libraries = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6'];
/** Neither the server nor its libraries read these. */
const unused = /^\/usr\/share\/(doc|gdb|lintian|locale|man)\/|\/(gconv|audit)\//;

const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options });
const write = (path, text, mode = 0o644) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  chmodSync(join(root, path), mode);
};

for (const folder of ['usr/bin', 'usr/sbin', 'usr/lib', 'usr/lib64', 'dev', 'proc', 'sys', 'etc', 'run', 'var'])
  mkdirSync(join(root, folder), { recursive: true });
for (const folder of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(root, folder));
symlinkSync('/run', join(root, 'var/run'));

for (const path of run('dpkg-query', ['-L', ...libraries])
  .split('\n')
  .filter((path) => /^\/./.test(path))) {
  if (unused.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
  mkdirSync(dirname(join(root, path)), { recursive: true });
  cpSync(path, join(root, path), { verbatimSymlinks: true, force: true });
}
// Scanners of images read the versions of Debian packages here.
for (const name of libraries) write(`var/lib/dpkg/status.d/${name}`, run('dpkg-query', ['-s', name]));

write('etc/passwd', `unikorn:x:${user}:${user}::/var/lib/unikorn:/usr/sbin/nologin\n`);
write('etc/group', `unikorn:x:${user}:\n`);
write('etc/nsswitch.conf', 'hosts: files dns\n');
mkdirSync(join(root, 'tmp'));
chmodSync(join(root, 'tmp'), 0o1777);
mkdirSync(join(root, 'var/lib/unikorn'), { recursive: true });
chmodSync(join(root, 'var/lib/unikorn'), 0o700);
chownSync(join(root, 'var/lib/unikorn'), user, user);

const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx'], { cwd: application }));
// Without a time and a random number, the same sources always make the same image.
delete bill.serialNumber;
delete bill.metadata.timestamp;
const debian = libraries.map((name) => {
  const [version, architecture] = run('dpkg-query', ['-W', '-f', '${Version} ${Architecture}', name]).split(' ');
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
});
renameSync(application, join(root, 'application'));
const complete = { ...bill, components: [...debian, ...bill.components] };
write('application/sbom.cdx.json', `${JSON.stringify(complete, undefined, 1)}\n`);

const [node] = globSync('application/node_modules/node-linux-*/bin/node', { cwd: root });
mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
symlinkSync(`/${node}`, join(root, 'usr/local/bin/node'));
write('usr/local/bin/unikorn', "#!/usr/local/bin/node\nimport '/application/packages/unikorn/src/main.js';\n", 0o755);
