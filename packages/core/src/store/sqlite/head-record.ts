import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';

import { timestamp } from '../../world/index.ts';

/** The last version that was acknowledged, and when. */
export interface Head {
  readonly version: number;
  readonly time: string;
}

const format = /^(?<version>\d{15}) (?<time>\S+)\n$/;

function fileOf(path: string): string {
  return `${path}.head`;
}

/**
 * Records in a file next to the state which version was acknowledged last. SQLite treats a damaged, cut or missing log
 * like one that ended earlier; a comparison with this record shows the missing changes. It is written after each commit
 * without waiting for the disk. After a power loss it can be behind the acknowledged changes, but it is never ahead.
 */
export class HeadRecord {
  readonly #file: number;
  #version = 0;

  constructor(path: string) {
    this.#file = openSync(fileOf(path), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  write(version: number, now: number): void {
    if (version === this.#version) return;
    try {
      // Always the same length at the same place, so that it needs no more space on a full disk.
      writeSync(this.#file, `${String(version).padStart(15, '0')} ${timestamp(now)}\n`, 0);
      this.#version = version;
    } catch {
      // If this fails, the record is only further behind. Acknowledged changes stay acknowledged.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The record next to a state; undefined if there is none, as with states of earlier releases. */
export function recordedHead(path: string): Head | undefined {
  if (!existsSync(fileOf(path))) return undefined;
  const { version, time } = format.exec(readFileSync(fileOf(path), 'latin1'))?.groups ?? {};
  return version === undefined || time === undefined ? undefined : { version: Number(version), time };
}
