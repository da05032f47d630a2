import type { NodeKind, NodeState } from './node.ts';

type Trouble = Exclude<NodeState, 'ready'>;

/** What helps whatever is in this state. */
const usually: Readonly<Record<Trouble, string>> = {
  progressing: 'it comes along by itself',
  waiting: 'what it waits for is ready; it goes on by itself then',
  degraded: 'start the instance if it is stopped; if its machine failed, change its image to have it rebuilt, or delete it and create it again',
  failed: 'what its message names is put right; it is then tried again by itself',
  missing: 'it is there again',
  deleting: 'nothing holds it any more; it goes by itself then',
  paused: 'an operator resumes it',
};

/** Where there is more to say. */
const particularly: Readonly<Partial<Record<NodeKind, Readonly<Partial<Record<Trouble, string>>>>>> = {
  network: { missing: 'nothing: delete the instance, what it lived in is gone', deleting: 'nothing: a network that goes takes its instances with it' },
  securityGroup: { missing: 'update the instance so that it no longer names the security group', deleting: 'update the instance so that it no longer names the security group' },
  sshCertificateAuthority: { missing: 'update the instance with another authority, or with none', deleting: 'update the instance with another authority, or with none' },
  providerResource: {
    progressing: 'the cloud gets on with it; it is asked again by itself every few seconds',
    waiting: 'the machine is ready to be asked for',
    failed: 'the cloud can do what its message says it cannot; it is asked again by itself',
    missing: 'the cloud shows it again; if it does not, it is taken for lost and made anew without its disk',
    deleting: 'the cloud has forgotten it; it is asked again by itself',
  },
  machine: { missing: 'what it needs is ready; it is made by itself then', failed: 'its provider resource is put right; or delete the instance', deleting: 'the cloud has forgotten it' },
  instance: { failed: 'what its message names is put right, by a change of the instance where that is what it names; it is then tried again by itself', deleting: 'its machine is gone; the instance follows by itself' },
};

/** What would help something in a state. */
export function remedyFor(kind: NodeKind, state: NodeState): { readonly unblockedBy?: string } {
  return state === 'ready' ? {} : { unblockedBy: particularly[kind]?.[state] ?? usually[state] };
}
