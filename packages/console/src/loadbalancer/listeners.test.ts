import { describe, expect, it } from 'vitest';

import { draftOf, emptyListener, listenerOf, mergedListeners, problemOf, type Listener } from './listeners.ts';

const web: Listener = {
  name: 'web',
  protocol: 'tcp',
  port: 80,
  allowedCidrs: ['10.0.0.0/8'],
  idleTimeoutSeconds: 60,
  pool: {
    proxyProtocolV2: true,
    members: [
      { address: '10.0.0.4', port: 8080 },
      { address: '10.0.0.5', port: 8080 },
    ],
    healthCheck: { intervalSeconds: 5 },
  },
};

describe('the listeners of a load balancer', () => {
  it('survive the form, with the fields that it does not show', () => {
    expect(listenerOf(draftOf(web, '1'))).toEqual(web);
  });

  it('lose their health check if the user does not want one', () => {
    expect(listenerOf({ ...draftOf(web, '1'), healthCheck: false }).pool).not.toHaveProperty('healthCheck');
  });

  it('of two editors are put together, each with a key of its own', () => {
    const opened = [draftOf(web, '1')];
    const theirs = [...opened, draftOf({ ...web, name: 'theirs', port: 81 }, '2')];
    const mine = [draftOf({ ...web, name: 'renamed' }, '1'), draftOf({ ...web, name: 'mine', port: 82 }, '2')];
    const both = mergedListeners(opened, theirs, mine);
    expect(both.map(({ key, name }) => [key, name])).toEqual([
      ['1', 'theirs'],
      ['2', 'renamed'],
      ['3', 'mine'],
    ]);
  });

  it('need a name, and members of an address and a port', () => {
    expect(problemOf([emptyListener('1')])).toBe('Listener name: required');
    expect(problemOf([{ ...draftOf(web, '1'), members: '10.0.0.4' }])).toMatch(/^10\.0\.0\.4: write an address/);
    expect(problemOf([draftOf(web, '1')])).toBeUndefined();
  });
});
