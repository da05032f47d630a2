import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ObservedServer } from '../../provider/index.ts';
import { advancedRebuild, type Rebuild } from '../../servers/index.ts';
import { decideDisk, type DiskStep } from './disk.ts';

const time = '2026-01-01T00:00:00Z';
const unreadable: ObservedServer = {
  providerId: 'p',
  status: 'active',
  power: 'running',
  task: 'idle',
  createdAt: time,
  launchedAt: time,
};
const idle: ObservedServer = { ...unreadable, imageId: 'old' };
const stopped: ObservedServer = { ...idle, status: 'shutoff', power: 'shutdown' };
const busy: ObservedServer = { ...idle, task: 'active' };
const error: ObservedServer = { ...idle, status: 'error' };

function marker(state: Rebuild['state'], targetImageID = 'new'): Rebuild {
  return { targetImageID, state };
}

describe('the decision about the image of a server', () => {
  it.each<[string, Rebuild | undefined, ObservedServer, DiskStep['type']]>([
    ['the wanted one, and nothing under way', undefined, { ...idle, imageId: 'new' }, 'fits'],
    ['the wanted one in error, and nothing under way', undefined, { ...error, imageId: 'new' }, 'fits'],
    ['another one', undefined, idle, 'arm'],
    ['another one on a server that is stopped', undefined, stopped, 'arm'],
    ['one that cannot be told', undefined, unreadable, 'wait'],
    ['another one than the marker is for', marker('Rebuilding', 'third'), busy, 'arm'],
    ['a failed rebuild to another one', marker('Failed', 'third'), error, 'arm'],
    ['written down, and idle', marker('Initiated'), idle, 'submit'],
    ['written down, and stopped', marker('Initiated'), stopped, 'submit'],
    ['written down, and in error before it was accepted', marker('Initiated'), error, 'submit'],
    ['written down, and busy with something else', marker('Initiated'), busy, 'wait'],
    ['written down, and one that cannot be told', marker('Initiated'), unreadable, 'wait'],
    ['accepted without our knowing', marker('Initiated'), { ...busy, imageId: 'new' }, 'wait'],
    ['accepted and done without our knowing', marker('Initiated'), { ...idle, imageId: 'new' }, 'fits'],
    ['accepted and failed without our knowing', marker('Initiated'), { ...error, imageId: 'new' }, 'fail'],
    ['under way', marker('Rebuilding'), { ...busy, imageId: 'new' }, 'wait'],
    ['done', marker('Rebuilding'), { ...idle, imageId: 'new' }, 'fits'],
    ['done on a stopped server', marker('Rebuilding'), { ...stopped, imageId: 'new' }, 'fits'],
    ['seen to be done', marker('Succeeded'), { ...idle, imageId: 'new' }, 'fits'],
    ['seen to be done, and in error since', marker('Succeeded'), { ...error, imageId: 'new' }, 'fail'],
    ['failed', marker('Rebuilding'), { ...error, imageId: 'new' }, 'fail'],
    ['replaced by somebody else after it was accepted', marker('Rebuilding'), idle, 'fail'],
    ['failed before, whatever it looks like now', marker('Failed'), { ...idle, imageId: 'new' }, 'fail'],
  ])('%s', (_name, rebuild, observed, type) => {
    expect(decideDisk('new', rebuild, observed).type).toBe(type);
  });

  it('a rebuild that turns out to be accepted is recorded as such', () => {
    expect(decideDisk('new', marker('Initiated'), { ...busy, imageId: 'new' })).toMatchObject({
      rebuild: marker('Rebuilding'),
    });
  });
});

/** A server in a cloud, its stored status, and the events that can change them. */
class Model {
  wanted = 'b';
  rebuild: Rebuild | undefined;
  imageId = 'a';
  task: 'idle' | 'power' | 'rebuild' = 'idle';
  failed = false;
  /** Accepted submissions for the image that is wanted now. */
  accepted = 0;

  observed(): ObservedServer {
    const status = this.task === 'rebuild' ? 'rebuilding' : this.failed ? 'error' : 'active';
    return { ...idle, imageId: this.imageId, status, task: this.task === 'idle' ? 'idle' : 'active' };
  }

  /** One pass of the controller, which may die or lose its write after any effect. */
  pass(ending: 'whole' | 'no answer' | 'no write'): DiskStep['type'] {
    const step = decideDisk(this.wanted, this.rebuild, this.observed());
    const taken = step.type === 'submit' && this.#submit();
    if (ending === 'no write' || (step.type === 'submit' && (!taken || ending === 'no answer'))) return step.type;
    this.rebuild = this.#markerAfter(step);
    return step.type;
  }

  #submit(): boolean {
    if (this.task !== 'idle') return false;
    this.accepted++;
    this.imageId = this.wanted;
    this.task = 'rebuild';
    this.failed = false;
    return true;
  }

  #markerAfter(step: DiskStep): Rebuild | undefined {
    switch (step.type) {
      case 'fits':
        return undefined;
      case 'arm':
        return marker('Initiated', this.wanted);
      case 'submit':
        return marker('Rebuilding', this.wanted);
      case 'wait':
        return step.rebuild;
      case 'fail':
        return marker('Failed', this.wanted);
    }
  }

  happen(event: Event): void {
    switch (event) {
      case 'whole':
      case 'no answer':
      case 'no write':
        this.pass(event);
        break;
      case 'monitor':
        this.rebuild = this.rebuild && advancedRebuild(this.rebuild, this.observed());
        break;
      case 'task ends':
      case 'task fails':
        this.failed ||= this.task === 'rebuild' && event === 'task fails';
        this.task = 'idle';
        break;
      case 'power':
        if (this.task === 'idle') this.task = 'power';
        break;
      case 'a':
      case 'b':
      case 'c':
        if (event !== this.wanted) this.accepted = 0;
        this.wanted = event;
    }
  }
}

const events = [
  'whole',
  'no answer',
  'no write',
  'monitor',
  'task ends',
  'task fails',
  'power',
  'a',
  'b',
  'c',
] as const;
type Event = (typeof events)[number];

describe('a rebuild, with any interruption and any observation in between', () => {
  it('is never accepted twice for the same target', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Event>(...events), { maxLength: 60 }), (happenings) => {
        const model = new Model();
        for (const event of happenings) {
          model.happen(event);
          expect(model.accepted).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends once there are no more interruptions', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Event>(...events), { maxLength: 60 }), (happenings) => {
        const model = new Model();
        for (const event of happenings) model.happen(event);
        for (let pass = 0; pass < 6; pass++) {
          model.pass('whole');
          model.happen('task ends');
        }
        expect(['fits', 'fail']).toContain(model.pass('whole'));
        if (model.rebuild === undefined) expect(model.imageId).toBe(model.wanted);
      }),
      { numRuns: 1_000 },
    );
  });
});
