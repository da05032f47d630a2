import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig } from 'vite';

import { noncePlaceholder } from '../server/index-page.ts';
import { distFolder, packageFolder, sourceHash, stampFile } from './source-hash.ts';

const compressible = /\.(js|css|svg|html)$/;

/** How Vite builds the pages. */
function configuration(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: packageFolder,
    base: '/console/',
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    html: { cspNonce: noncePlaceholder },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Small files are not put into the style sheet: the security policy allows no data URL for fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 700,
    },
  };
}

/**
 * Builds the pages beside the finished ones and then replaces those, so that a server never shows half a build, and two
 * builds at the same time do no harm.
 */
export async function buildConsole(onProgress: (step: string) => void = () => undefined): Promise<void> {
  const hash = await sourceHash();
  const target = await mkdtemp(`${distFolder}-`);
  // Also when the server stops before the build is done.
  process.once('exit', () => {
    rmSync(target, { recursive: true, force: true });
  });
  try {
    onProgress('bundling');
    await build(configuration(target));
    onProgress('compressing');
    await compressAll(target);
    await writeFile(join(target, 'source-hash'), hash ?? '');
    await chmod(target, 0o755);
    await replace(target);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

async function replace(target: string): Promise<void> {
  const old = `${target}-old`;
  await rename(distFolder, old).catch(() => undefined);
  try {
    await rename(target, distFolder);
  } catch (error) {
    // Another build was faster.
    if ((await readFile(stampFile, 'utf8').catch(() => undefined)) === undefined) throw error;
  } finally {
    await rm(old, { recursive: true, force: true });
  }
}

/** The server compresses nothing, so each file is stored in both encodings, too. */
async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    // The index page is different in each response.
    if (!entry.isFile() || !compressible.test(file) || entry.name === 'index.html') continue;
    const content = await readFile(file);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      promisify(gzip)(content, { level: 9 }),
    ]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  }
}
