import { preferences } from '../session/preferences.ts';
import type { Language, Translated } from './language.ts';

/** Texts of the guided minute. */
const english = {
  title: 'The guided minute',
  intro:
    'Break a region, and watch the platform heal. Everything here is real: a simulated cloud goes down, an instance is created meanwhile, and you see why it waits and how it becomes ready.',
  steps: {
    start: 'Choose a region',
    down: 'Take the region down',
    create: 'Create an instance meanwhile',
    wait: 'See why it waits',
    back: 'Watch it heal',
    done: 'Everything as before',
  },
  stepOf: (at: number, all: number) => `Step ${at} of ${all}`,
  progress: 'Steps of the guided minute',
  lookAt: 'What to look at',
  region: 'Region',
  network: 'Network',
  networkHint: 'The new instance is connected to it.',
  choose: 'Choose…',
  noRegion: 'There is no simulated region that is up',
  noRegionText: 'Add a simulated region, or bring one back, and come here again.',
  noNetwork: 'No network is in this region. Create one in a project first.',
  noImage: 'This region offers no flavor and image that fit together.',
  begin: 'Begin',
  startText:
    'You need a simulated region and a network in it. The minute takes the region down for a moment: other instances in it keep running, but cannot be changed meanwhile.',
  startLook: 'Nothing happens yet. You can leave at any time, and restore the region with one button.',
  downText: (region: string) => `Every call of the platform to the cloud of ${region} will fail, as in an outage.`,
  downLook:
    'The instances below stay as they are. The platform keeps what it knew, and does not take a silent cloud for an empty one.',
  downAction: (region: string) => `Take ${region} down`,
  createText: (region: string) => `${region} is down. Ask for an instance in it now.`,
  createLook:
    'The request is accepted at once. It is stored before the answer, so that not even a crash of the platform loses it.',
  createAction: 'Create the instance',
  waitText: (region: string) =>
    `The instance waits for the cloud of ${region}. The platform tries again on its own, at growing intervals.`,
  waitLook:
    'The cause is first, with the number of attempts and the time of the next one. What waits for it is hatched. Nobody has to repeat anything.',
  waitAction: (region: string) => `Bring ${region} back`,
  backText: (region: string) =>
    `${region} answers again. With the next attempt, the chain becomes ready from left to right.`,
  backLook: 'The marks turn green one by one: the machine in the cloud, then the machine, then the instance.',
  backReady: 'The instance is running. Nothing was lost, and nobody repeated anything.',
  backWaiting: 'Wait until the instance is running.',
  backAction: 'Delete the instance and finish',
  doneText: (region: string) => `${region} is as it was before. The instance of this minute is being deleted.`,
  doneLook: 'Its history stays: who asked for it, each failed call, and when it healed.',
  history: 'Open its history',
  again: 'Do it again',
  faults: 'More faults: delays, lost answers, full pools',
  instances: 'Instances in the region',
  chain: 'What the new instance needs',
  restoreTitle: (region: string) => `${region} is down because of the guided minute.`,
  restore: 'Restore the region',
  restoreHint: 'This brings the region back, and deletes the instance that the minute created.',
  goOn: 'Go on with the guided minute',
  gone: 'The instance of this minute was deleted.',
  regionGone: 'The region of this minute does not exist any more.',
  startOver: 'Start over',
} as const;

const catalogues: Readonly<Record<Language, Translated<typeof english>>> = { en: english };

export const guideWords = catalogues[preferences().language];
