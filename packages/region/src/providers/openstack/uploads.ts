import { Readable } from 'node:stream';

import { defined } from '@unikorn/core/defined';
import { isProblem } from '@unikorn/core/errors';
import { guardedDownload } from '@unikorn/core/outbound';
import { labels } from '@unikorn/core/resource';
import { matching, modify, type Store } from '@unikorn/core/store';
import type { Cancel, World } from '@unikorn/core/world';

import { glance, type Session } from './client/index.ts';
import { OpenstackUpload } from './kinds.ts';
import { limits, waits } from './limits.ts';
import { stored } from './region.ts';

export interface UploadParts {
  readonly store: Store;
  readonly world: World;
  readonly regionId: string;
  /** The region's user in the region's own project. */
  readonly region: () => Promise<Session>;
  /** From which addresses images may be downloaded; from public ones by default. */
  readonly allows?: ((address: string) => boolean) | undefined;
}

type Spec = OpenstackUpload['spec'];

/**
 * Uploads of images, from an address on the web to Glance through this process. A record remembers each of them. The
 * process that works on one renews its lease. If the lease ends, because the process died, any process begins again.
 */
export class Uploads {
  readonly #parts: UploadParts;
  readonly #download: ReturnType<typeof guardedDownload>;
  /** By the id of the image, how to end the upload. */
  readonly #running = new Map<string, AbortController>();

  constructor(parts: UploadParts) {
    this.#parts = parts;
    this.#download = guardedDownload({
      ...defined({ allows: parts.allows }),
      bytes: limits.uploadBytes,
      redirects: limits.uploadRedirects,
    });
  }

  /** Returns before the data is uploaded. A repeated call begins nothing new. */
  async begin(imageId: string, uri: string): Promise<void> {
    const metadata = { name: imageId, labels: { [labels.region]: this.#parts.regionId } };
    await stored(async () => {
      try {
        await this.#parts.store.create(OpenstackUpload, { metadata, spec: { uri, attempts: 0, leaseUntil: 0 } });
      } catch (error) {
        if (!isProblem(error, 'conflict')) throw error;
      }
    });
    await this.#continue(imageId);
  }

  /** Continues the uploads that no process works on. Returns the images that do not have all their data. */
  async resume(): Promise<ReadonlyMap<string, 'running' | 'failed'>> {
    const selector = matching({ [labels.region]: this.#parts.regionId });
    const { items } = await stored(() => this.#parts.store.list(OpenstackUpload, { selector, cached: true }));
    for (const { metadata, spec } of items) if (this.#isFree(spec)) await this.#continue(metadata.name);
    return new Map(items.map(({ metadata, spec }) => [metadata.name, spec.hasFailed === true ? 'failed' : 'running']));
  }

  /** For an image that was deleted, or has its data. */
  async forget(imageId: string): Promise<void> {
    this.#running.get(imageId)?.abort();
    await stored(async () => {
      try {
        await this.#parts.store.delete(OpenstackUpload, imageId);
      } catch (error) {
        if (!isProblem(error, 'not_found')) throw error;
      }
    });
  }

  #isFree({ hasFailed, leaseUntil }: Spec): boolean {
    return hasFailed !== true && leaseUntil <= this.#parts.world.now();
  }

  async #continue(imageId: string): Promise<void> {
    if (this.#running.size >= limits.uploads || this.#running.has(imageId)) return;
    const ending = new AbortController();
    this.#running.set(imageId, ending);
    const holder = this.#parts.world.uuid();
    const spec = await this.#take(imageId, holder).catch(() => undefined);
    if (spec?.holder !== holder) {
      this.#running.delete(imageId);
      return;
    }
    void this.#work(imageId, spec, holder, ending);
  }

  #take(imageId: string, holder: string): Promise<Spec> {
    return this.#change(imageId, (spec) =>
      this.#isFree(spec) ? { ...spec, holder, attempts: spec.attempts + 1, leaseUntil: this.#leaseEnd() } : undefined,
    );
  }

  /** Never fails: the record tells the next attempt what to do. */
  async #work(imageId: string, spec: Spec, holder: string, ending: AbortController): Promise<void> {
    const { world } = this.#parts;
    const stopRenewing = this.#keepRenewing(imageId, holder, ending);
    const cancelDeadline = world.after(waits.upload_ms, () => {
      ending.abort();
    });
    try {
      await this.#transfer(imageId, spec.uri, ending.signal);
      await this.forget(imageId);
    } catch {
      // The client has logged what the cloud said.
      await this.#release(imageId, holder).catch(() => undefined);
      world.after(waits.uploadPause_ms, () => {
        this.resume().catch(() => undefined);
      });
    } finally {
      stopRenewing();
      cancelDeadline();
      this.#running.delete(imageId);
    }
  }

  /** Succeeds if nothing is left to do. */
  async #transfer(imageId: string, uri: string, signal: AbortSignal): Promise<void> {
    const session = await this.#parts.region();
    const image = await glance.getImage(session, imageId);
    if (!image || !['queued', 'saving', 'active'].includes(image.status)) return;
    const { status, length, body, close } = await this.#download(uri, signal);
    try {
      if (status !== 200) throw new Error(`the address of the image answered with status ${status}`);
      if (image.status === 'active') assertComplete(image, length);
      else await glance.uploadImage(session, imageId, Readable.from(body, { objectMode: false }), waits.upload_ms);
    } finally {
      close();
    }
  }

  #keepRenewing(imageId: string, holder: string, ending: AbortController): () => void {
    const renew = async () => {
      const { holder: current } = await this.#change(imageId, (spec) =>
        spec.holder === holder ? { ...spec, leaseUntil: this.#leaseEnd() } : undefined,
      );
      if (current !== holder) ending.abort();
    };
    let cancel: Cancel | undefined;
    let isOver = false;
    const schedule = () => {
      if (isOver) return;
      cancel = this.#parts.world.after(waits.uploadLease_ms / 3, () => {
        renew()
          .catch((error: unknown) => {
            if (isProblem(error, 'not_found')) ending.abort();
          })
          .finally(schedule);
      });
    };
    schedule();
    return () => {
      isOver = true;
      cancel?.();
    };
  }

  /** Lets the next attempt begin after a pause. After the last one, the image has failed. */
  async #release(imageId: string, holder: string): Promise<void> {
    const leaseUntil = this.#parts.world.now() + waits.uploadPause_ms;
    await this.#change(imageId, (spec) => {
      if (spec.holder !== holder) return undefined;
      return { ...spec, leaseUntil, hasFailed: spec.attempts >= limits.uploadAttempts };
    });
  }

  async #change(imageId: string, decide: (spec: Spec) => Spec | undefined): Promise<Spec> {
    const { spec } = await modify(this.#parts.store, OpenstackUpload, imageId, (record) => {
      const changed = decide(record.spec);
      return changed && { ...record, spec: changed };
    });
    return spec;
  }

  #leaseEnd(): number {
    return this.#parts.world.now() + waits.uploadLease_ms;
  }
}

/** If an upload breaks off, some clouds keep the part that they have got, and call the image active. */
function assertComplete({ size }: glance.GlanceImage, length: number | undefined): void {
  if (length === undefined || size !== length)
    throw new Error('the image in the cloud may be a part of the data only, because its upload was interrupted');
}
