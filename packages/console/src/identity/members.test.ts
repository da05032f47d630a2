import { describe, expect, it } from 'vitest';

import type { Group, User } from '@unikorn/sdk';

import { foreignSubjects, memberCount, membersOf } from './members.ts';

const issuer = 'https://unikorn.example';

function user(id: string, subject: string): User {
  return {
    metadata: { id, name: id },
    spec: { subject, state: 'active', groupIDs: [] },
    status: { issuer },
  } as unknown as User;
}

function group(spec: object): Group {
  return { metadata: {}, spec: { serviceAccountIDs: [], roleIDs: [], ...spec } } as unknown as Group;
}

const users = [user('1', 'ada@example.com'), user('2', 'bob@example.com')];
const ada = { id: 'ada@example.com', issuer };
const elsewhere = { id: 'ada@example.com', issuer: 'https://login.example.org' };

describe('the members of a group', () => {
  it('are sent as user ids if all of them are people of the organization', () => {
    expect(foreignSubjects(group({ subjects: [ada], userIDs: ['1'] }), users)).toEqual([]);
    expect(membersOf(users, ['2'], [])).toEqual({ userIDs: ['2'] });
  });

  it('keep the subjects of another login provider, also with the same mail address', () => {
    const foreign = foreignSubjects(group({ subjects: [ada, elsewhere], userIDs: ['1'] }), users);
    expect(foreign).toEqual([elsewhere]);
    expect(membersOf(users, ['2'], foreign)).toEqual({
      subjects: [elsewhere, { id: 'bob@example.com', issuer }],
    });
  });

  it('are counted once, though people are shown as subjects and as user ids', () => {
    const members = { subjects: [ada, elsewhere], userIDs: ['1'], serviceAccountIDs: ['x'] };
    expect(memberCount(group(members))).toBe(3);
  });
});
