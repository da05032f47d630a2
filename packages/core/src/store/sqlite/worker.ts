/** The thread that waits for the disk, so that the event loop does not have to. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';

import { internalLimits } from '../../limits.ts';
import { systemWorld as world } from '../../world/index.ts';
import { failureOf } from './failure.ts';
import { HeadRecord } from './head-record.ts';
import type { Reply, Request, WorkerSettings } from './messages.ts';
import { unpacked } from './packing.ts';
import { Query } from './query.ts';
import { Writer, type Batch } from './writer.ts';

const settings = given(workerData);
const port = connected(parentPort);
const database = new DatabaseSync(settings.path);
// Checkpoints run between commits and never inside a commit, because a caller waits for it.
database.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -24576');
if (settings.maxBytes !== undefined) limitSize(settings.maxBytes);
const writer = new Writer(database, settings.retention);
const record = new HeadRecord(settings.path);
record.write(writer.head, world.now());
const logged = new Query<[busy: number, pages: number, copied: number]>(database, 'PRAGMA wal_checkpoint(NOOP)');

port.on('message', (first) => {
  const requests = drained(request(first));
  const batches = requests.flatMap((each) => (each.type === 'batches' ? unpacked(each.batches) : []));
  for (const share of shares(batches)) {
    commit(share);
    keepTidy('working');
  }
  for (const { type } of requests) if (type === 'probe') probe();
  if (requests.some(({ type }) => type === 'close')) close();
  else if (requests.some(({ type }) => type === 'tidy')) keepTidy('idle');
});

reply({ type: 'ready' });

/** All batches that arrived during the last commit share the next one. */
function drained(first: Request): Request[] {
  const requests = [first];
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
    requests.push(request(next.message));
  return requests;
}

/** The batches in order, grouped by commit. */
function shares(batches: readonly Batch[]): Batch[][] {
  const all: Batch[][] = [];
  let room = 0;
  for (const batch of batches) {
    const bytes = batch.operations.reduce((sum, { data }) => sum + data.length, 0);
    const last = all.at(-1);
    if (last && bytes <= room) last.push(batch);
    else {
      all.push([batch]);
      room = internalLimits.commitBytes;
    }
    room -= bytes;
  }
  return all;
}

function commit(batches: readonly Batch[]): void {
  try {
    const versions = writer.commit(batches);
    record.write(writer.head, world.now());
    reply({ type: 'committed', versions });
  } catch (error) {
    reply({ type: 'failed', batches: batches.length, failure: failureOf(error) });
  }
}

function probe(): void {
  try {
    writer.probe();
    reply({ type: 'probed' });
  } catch (error) {
    reply({ type: 'probed', failure: failureOf(error) });
  }
}

/** A failure here is retried after the next commit. Only the size of the files depends on it. */
function keepTidy(when: 'working' | 'idle'): void {
  try {
    if (writer.compactable) writer.compact();
    else if (writer.shrinkable) writer.shrink();
    const [, pages = 0, copied = 0] = logged.get() ?? [];
    if (when === 'idle') database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    else if (pages - copied > internalLimits.checkpointPages) database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    if (when === 'idle' && (writer.compactable || writer.shrinkable)) goOn();
  } catch {
    // Usually the disk is full. The next commit reports that to its caller.
  }
}

/** In steps, so that a commit never waits for more than one of them. */
function goOn(): void {
  void world.turn().then(() => {
    if (database.isOpen) keepTidy('idle');
  });
}

function close(): void {
  database.close();
  record.close();
  reply({ type: 'closed' });
  port.close();
}

function limitSize(bytes: number): void {
  const [pageBytes = 4096] = new Query<[number]>(database, 'PRAGMA page_size').get() ?? [];
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(bytes / pageBytes))}`);
}

function reply(message: Reply): void {
  port.postMessage(message);
}

function connected(candidate: MessagePort | null): MessagePort {
  if (!candidate) throw new Error('the writer runs as a worker thread of a store');
  return candidate;
}

/** The thread that starts this one runs the same release, so its messages do not need to be validated. */
function given(data: unknown): WorkerSettings;
function given(data: unknown): unknown {
  return data;
}

function request(message: unknown): Request;
function request(message: unknown): unknown {
  return message;
}
