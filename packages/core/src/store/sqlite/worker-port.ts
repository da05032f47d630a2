import { Worker } from 'node:worker_threads';

import { Problem } from '../../errors/index.ts';
import { internalLimits, waits } from '../../limits.ts';
import type { Cancel, World } from '../../world/index.ts';
import { closedProblem, failureOf, problemOf } from './failure.ts';
import type { Reply, Request, WorkerSettings } from './messages.ts';
import { packed } from './packing.ts';
import type { WriterPort } from './port.ts';
import { moduleBeside } from './threads.ts';
import type { Batch } from './writer.ts';

interface Pending {
  readonly resolve: (versions: readonly number[]) => void;
  readonly reject: (error: Problem) => void;
}

export function startWriter(settings: WorkerSettings): Worker {
  return new Worker(moduleBeside('worker'), { workerData: settings });
}

/** A separate thread that carries out the batches, so that commits never block the event loop. */
export class WorkerPort implements WriterPort {
  readonly #worker: Worker;
  readonly #world: World;
  #pending: Pending[] = [];
  #probes: PromiseWithResolvers<undefined>[] = [];
  #gathered: Batch[] = [];
  #operations = 0;
  #failure: Problem | undefined;
  #cancelTidy: Cancel | undefined;
  readonly #ready = Promise.withResolvers<undefined>();
  readonly #exited: Promise<void>;

  /** Resolves once the thread has opened the database. */
  static async connect(worker: Worker, world: World): Promise<WorkerPort> {
    const port = new WorkerPort(worker, world);
    await port.#ready.promise;
    return port;
  }

  private constructor(worker: Worker, world: World) {
    this.#world = world;
    this.#worker = worker;
    this.#worker.on('message', (message) => {
      this.#answer(received(message));
    });
    this.#worker.on('error', (cause) => {
      this.#fail(cause);
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        this.#fail(new Error(`the writing thread ended with code ${code}`));
        resolve();
      });
    });
  }

  commit(batch: Batch): Promise<readonly number[]> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      // A process may end while its store is open, but not while a write is in progress.
      if (this.#pending.length === 1) this.#worker.ref();
      this.#gather(batch);
    });
  }

  async probe(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const probe = Promise.withResolvers<undefined>();
    this.#probes.push(probe);
    this.#send({ type: 'probe' });
    await probe.promise;
  }

  async close(): Promise<void> {
    this.#cancelTidy?.();
    if (!this.#failure) {
      this.#worker.ref();
      this.#send({ type: 'close' });
    }
    await this.#exited;
  }

  /** Batches of one turn of the event loop are sent together, because every message has a cost. */
  #gather(batch: Batch): void {
    this.#operations += batch.operations.length;
    this.#gathered.push(batch);
    if (this.#operations >= internalLimits.handOver) this.#handOver();
    else if (this.#gathered.length === 1)
      void this.#world.turn().then(() => {
        this.#handOver();
      });
  }

  #handOver(): void {
    if (this.#gathered.length > 0 && !this.#failure) this.#send({ type: 'batches', batches: packed(this.#gathered) });
    this.#gathered = [];
    this.#operations = 0;
  }

  #answer(reply: Reply): void {
    switch (reply.type) {
      case 'committed':
        for (const versions of reply.versions) this.#pending.shift()?.resolve(versions);
        break;
      case 'failed':
        for (const { reject } of this.#pending.splice(0, reply.batches)) reject(problemOf(reply.failure));
        break;
      case 'probed':
        if (reply.failure) this.#probes.shift()?.reject(problemOf(reply.failure));
        else this.#probes.shift()?.resolve(undefined);
        return;
      case 'ready':
        this.#ready.resolve(undefined);
        break;
      case 'closed':
        this.#failure = closedProblem();
        return;
    }
    if (this.#pending.length === 0) this.#rest();
  }

  #rest(): void {
    this.#worker.unref();
    this.#cancelTidy?.();
    this.#cancelTidy = this.#world.after(waits.idleWriter_ms, () => {
      if (!this.#failure) this.#send({ type: 'tidy' });
    });
  }

  #fail(cause: unknown): void {
    this.#failure ??= endOf(cause);
    this.#ready.reject(this.#failure);
    for (const { reject } of [...this.#pending.splice(0), ...this.#probes.splice(0)]) reject(this.#failure);
  }

  #send(request: Request): void {
    this.#worker.postMessage(request);
  }
}

/** A restart of the thread would not help after it found its state damaged. */
function endOf(cause: unknown): Problem {
  const failure = failureOf(cause);
  if (failure.code === 'storage_unusable') return problemOf(failure);
  return new Problem(
    'storage_unavailable',
    'the store can no longer be written: the log has the reason; restart the process',
    { cause },
  );
}

/** Messages of the writing thread have their types where they are sent. */
function received(message: unknown): Reply;
function received(message: unknown): unknown {
  return message;
}
