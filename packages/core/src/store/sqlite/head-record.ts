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
 * Says beside a state which version was acknowledged last. SQLite takes a log that is damaged, cut off or gone for one
 * that ended earlier; whoever compares notices what is missing. It is written after each commit without waiting for the
 * disk, so after a loss of power it may be behind what was acknowledged, but it is never ahead.
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
      // Always of the same length and at the same place, so that it needs no more room on a full disk.
      writeSync(this.#file, `${String(version).padStart(15, '0')} ${timestamp(now)}\n`, 0);
      this.#version = version;
    } catch {
      // It is then only further behind, and what was acknowledged stays so.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The record beside a state; undefined if there is none, as with states of earlier releases. */
export function recordedHead(path: string): Head | undefined {
  if (!existsSync(fileOf(path))) return undefined;
  const { version, time } = format.exec(readFileSync(fileOf(path), 'latin1'))?.groups ?? {};
  return version === undefined || time === undefined ? undefined : { version: Number(version), time };
}
