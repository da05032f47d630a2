import { linesOf } from '../parts/lines.ts';
import { words } from '../words/index.ts';

export const gpuVendors = ['NVIDIA', 'AMD'] as const;

interface Written {
  readonly gpuVendor: string;
  readonly gpuDriver: string;
  readonly gpuModels: string;
  /** A name, an equals sign and a version in each line. */
  readonly software: string;
}

/** What of an image is seldom needed, as the API takes it. */
export function extrasOf({ gpuVendor, gpuDriver, gpuModels, software }: Written) {
  const vendor = gpuVendors.find((each) => each === gpuVendor);
  const models = linesOf(gpuModels);
  const versions = linesOf(software).map((line) => versionIn(line));
  return {
    ...(vendor ? { gpu: { vendor, driver: gpuDriver.trim(), ...(models.length === 0 ? {} : { models }) } } : {}),
    ...(versions.length === 0 ? {} : { softwareVersions: Object.fromEntries(versions) }),
  };
}

function versionIn(line: string): readonly [name: string, version: string] {
  const [name = '', ...version] = line.split('=');
  return [name.trim(), version.join('=').trim()];
}

/** The first line of software that cannot be read. */
export function softwareFlaw(software: string): string | undefined {
  const wrong = linesOf(software).find((line) => versionIn(line).includes(''));
  return wrong === undefined ? undefined : words.image.wrongSoftware(wrong);
}
