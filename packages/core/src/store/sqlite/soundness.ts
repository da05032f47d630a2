import { existsSync, statSync } from 'node:fs';

import type { Problem } from '../../errors/index.ts';
import { limits } from '../../limits.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import { surveyState } from './examine.ts';
import { restoreBackup } from './failure.ts';
import { unusable } from './inspect.ts';
import { lossText, type Loss } from './loss.ts';

interface SoundnessOptions {
  readonly telemetry: Telemetry;
  readonly acceptLoss?: boolean;
  readonly promptExamination_bytes?: number;
}

interface Soundness {
  /** The missing changes whose loss was accepted. */
  readonly loss?: Loss;
  /**
   * Whether the whole state was read. A large state is checked while it is in use, because that takes longer than a
   * start should.
   */
  readonly examined: boolean;
}

/** Throws when a state is damaged, or lacks acknowledged changes, before anything is changed in it. */
export function assertSound(
  path: string,
  { telemetry, acceptLoss = false, promptExamination_bytes = limits.promptExaminationBytes }: SoundnessOptions,
): Soundness {
  const examined = !existsSync(path) || statSync(path).size <= promptExamination_bytes;
  const { damage, loss } = surveyState(path, examined ? 'thorough' : 'brief');
  if (damage !== undefined) throw damaged(damage);
  if (!loss) return { examined };
  const text = lossText(path, loss);
  if (!acceptLoss) throw unusable(`${text}; ${restoreBackup}, or start with --accept-loss to continue without them`);
  telemetry.log.error({ loss }, `${text}; this was accepted`);
  return { loss, examined };
}

export function damaged(damage: string): Problem {
  return unusable(`${damage}; ${restoreBackup}`);
}
