import type { NodeKind, Standing } from './node.ts';

/** What something that is not ready is in need of: its state, except that what failed may be tried again by itself, or not. */
type Trouble = Exclude<Standing['state'], 'ready'> | 'given up';

/** What helps whatever is in this state. */
const usually: Readonly<Record<Trouble, string>> = {
  progressing: 'nothing needs to be done; it comes along by itself',
  waiting: 'what it waits for is ready; it goes on by itself then',
  retrying: 'what its message names has passed; it is tried again by itself',
  degraded:
    'start the instance if it is stopped; if its machine failed, change its image to have it rebuilt, or delete it and create it again',
  failed: 'what its message names is put right; it is tried again by itself',
  'given up': 'whoever operates the platform puts right what its message names; it is not tried again before that',
  missing: 'it is there again',
  deleting: 'nothing holds it any more; it goes by itself then',
  paused: 'an operator resumes it',
};

/** Where there is more to say. */
const particularly: Readonly<Partial<Record<NodeKind, Readonly<Partial<Record<Trouble, string>>>>>> = {
  region: { retrying: 'its region answers again; it is asked again by itself' },
  network: {
    missing: 'nothing: delete the instance, what it lived in is gone',
    deleting: 'nothing: a network that goes takes its instances with it',
  },
  securityGroup: {
    missing: 'update the instance so that it no longer names the security group',
    deleting: 'update the instance so that it no longer names the security group',
  },
  sshCertificateAuthority: {
    missing: 'update the instance with another authority, or with none',
    deleting: 'update the instance with another authority, or with none',
  },
  providerResource: {
    progressing: 'the cloud gets on with it; it is asked again by itself every few seconds',
    waiting: 'the machine is ready to be asked for',
    retrying: 'the cloud can be asked again; that is tried by itself',
    failed: 'the cloud can do what its message says it cannot; it is asked again by itself',
    'given up':
      'update the instance so that its message no longer applies, or have whoever operates the platform put it right; the cloud is not asked again before that',
    missing: 'the cloud shows it again; if it does not, it is taken for lost and made anew without its disk',
    deleting: 'the cloud has forgotten it; it is asked again by itself',
  },
  machine: {
    missing: 'what it needs is ready; it is made by itself then',
    failed:
      'what its message names is put right, by an update of the instance where that is what it names; it is tried again by itself',
    'given up': 'its provider resource is put right; or delete the instance',
    deleting: 'the cloud has forgotten it',
  },
  quota: { retrying: 'the quota can be written again; it is given back by itself then' },
  instance: {
    'given up':
      'what its message names is put right, by a change of the instance where that is what it names; it goes on by itself then',
    deleting: 'its machine is gone; the instance follows by itself',
  },
};

/** What would help something that stands like this. */
export function remedyFor(
  kind: NodeKind,
  { state, nextRetry }: Pick<Standing, 'state' | 'nextRetry'>,
): { readonly unblockedBy?: string } {
  if (state === 'ready') return {};
  const trouble = state === 'failed' && nextRetry === undefined ? 'given up' : state;
  return { unblockedBy: particularly[kind]?.[trouble] ?? usually[trouble] };
}
