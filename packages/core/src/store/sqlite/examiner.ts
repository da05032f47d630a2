/** A thread that checks a large state, so that neither the event loop nor a commit waits for it. */
import { parentPort, workerData } from 'node:worker_threads';

import { surveyState } from './examine.ts';

const { damage } = surveyState(String(workerData));
parentPort?.postMessage(damage ?? null);
