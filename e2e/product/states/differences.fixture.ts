import type { Difference } from './comparison.fixture.ts';

/** Differences that occur in every version. */
const always: readonly Difference[] = [
  {
    where: /^instances \S+ status\.observedAt: was "[^"]+", is "a time since the start"$/,
    why: 'the time of the last observation',
    sometimes: true,
  },
  {
    where: /^filestorage \S+ status\.usage\./,
    why: 'the simulated cloud computes the usage from the time',
    sometimes: true,
  },
  {
    where: /^serviceaccounts platform /,
    why: 'the token of the platform account is replaced when it has expired',
    sometimes: true,
  },
  {
    where: /^filestorage \S+ status\.snapshotPolicies\.\d+\.message: was "[^"]+", is "\d+ snapshots? (is|are) kept, /,
    why: 'a snapshot may have become due since the state was made',
    sometimes: true,
  },
];

/**
 * Values that a later version may show differently, by the version that made the state. Each has a reason, and each
 * must occur.
 */
export const allowed: Readonly<Record<string, readonly Difference[]>> = {
  v1: [
    ...always,
    {
      where: /^groups \S+ spec\.subjects\.\d+\.issuer: was "uni", is "https:\/\/unikorn\.fixture\.example\/identity"$/,
      why: 'the issuer of our own people is the URL of the identity service',
    },
    {
      where: /^organizations platform \(\S+\): no longer exists$/,
      why: 'the organization of the platform itself is not listed among tenants',
    },
    { where: /^quotas \S+ (filestorage|volume)\.description: /, why: 'the description names the unit' },
    {
      where: /^users \S+ status\.issuer: was absent, is "https:\/\/unikorn\.fixture\.example\/identity"$/,
      why: 'who vouches for somebody is shown',
    },
    {
      where: /^users \S+ status\.acceptance: was absent, is "(accepted|open)"$/,
      why: 'a membership says whether the person has accepted it; those of older versions are accepted, but for pending ones',
    },
    {
      where: /^quotas \S+ \w+\.allocations\.\S+: was \{.*"committed":0,"reserved":0\}, is absent$/,
      why: 'an allocation of nothing is left out where nothing of the quota is used',
    },
    {
      where: /^flavors sim-standard-(2|8|16) \(\S+\): is new$/,
      why: 'simulated regions have several sizes of one family',
    },
    { where: /^roles \S+ scopes: was absent, /, why: 'a role says what it allows' },
    {
      where:
        /^\w+ \S+ \S+\.message: was "[^"]+", is "(it is ready in the cloud|the machine is running|its rules are active|no snapshot has been due yet|the cloud has no capacity for another [^"]+)"$/,
      why: 'messages are worded in plain English',
    },
  ],
};
