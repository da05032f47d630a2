import type { Caches, Runnable } from '@unikorn/core/controller';
import {
  History,
  historySweeper,
  transitionRecorder,
  type HistoryOptions,
  type HistorySubject,
} from '@unikorn/core/history';
import type { Telemetry } from '@unikorn/core/telemetry';

import { regionHistoryStorage } from '../kinds/index.ts';
import {
  fileStorageSubject,
  imageSubject,
  loadBalancerSubject,
  networkSubject,
  securityGroupSubject,
  serverSubject,
  sshCertificateAuthoritySubject,
} from './subjects.ts';

/** The histories of the resources of region. */
export interface RegionHistories {
  readonly networks: History;
  readonly securityGroups: History;
  readonly loadBalancers: History;
  readonly fileStorage: History;
  readonly sshCertificateAuthorities: History;
  readonly servers: History;
  readonly images: History;
}

export function regionHistories(context: Omit<HistoryOptions, 'subject'>): RegionHistories {
  const historyOf = (subject: HistorySubject) => new History({ ...context, subject });
  return {
    networks: historyOf(networkSubject),
    securityGroups: historyOf(securityGroupSubject),
    loadBalancers: historyOf(loadBalancerSubject),
    fileStorage: historyOf(fileStorageSubject),
    sshCertificateAuthorities: historyOf(sshCertificateAuthoritySubject),
    servers: historyOf(serverSubject),
    images: historyOf(imageSubject),
  };
}

/** Stores everything that is recorded and not written yet. */
export async function flushHistories(histories: RegionHistories): Promise<void> {
  await Promise.all(allOf(histories).map((history) => history.flush()));
}

export function allOf({
  networks,
  securityGroups,
  loadBalancers,
  fileStorage,
  sshCertificateAuthorities,
  servers,
  images,
}: RegionHistories): readonly History[] {
  return [networks, securityGroups, loadBalancers, fileStorage, sshCertificateAuthorities, servers, images];
}

/** Records the changes of the resources of one history. */
export function recorderOf(
  history: History,
  { caches, telemetry }: { readonly caches: Caches; readonly telemetry: Telemetry },
): Runnable {
  const { kind, resource } = history.subject;
  return transitionRecorder(`region-history-${resource}`, caches.of(kind), history, telemetry);
}

/** Removes history that is older than the retention time. */
export function regionHistorySweeper(
  context: Pick<HistoryOptions, 'store' | 'world'> & { readonly telemetry: Telemetry },
  retention_ms: number,
): Runnable {
  return historySweeper({ ...context, name: 'region-history-sweeper', storage: regionHistoryStorage, retention_ms });
}
