import { describe, expect, it } from 'vitest';

import { listenerText, parseListener, type Listener } from './loadbalancer-listener.ts';

const listener: Listener = {
  name: 'web',
  protocol: 'tcp',
  port: 80,
  pool: {
    members: [
      { address: '10.0.0.5', port: 8080 },
      { address: '10.0.0.6', port: 8080 },
    ],
  },
};

describe('a listener', () => {
  it('is parsed, and shown in the same form', () => {
    expect(parseListener('web:tcp:80=10.0.0.5:8080,10.0.0.6:8080')).toEqual(listener);
    expect(listenerText(listener)).toBe('web:tcp:80=10.0.0.5:8080,10.0.0.6:8080');
  });

  it('may have no members yet', () => {
    expect(parseListener('web:udp:53=')).toEqual({ name: 'web', protocol: 'udp', port: 53, pool: { members: [] } });
  });

  it.each(['web:tcp:80', 'web:http:80=10.0.0.5:80', 'web:tcp:80=10.0.0.5', 'tcp:80=10.0.0.5:80', '{"name"'])(
    'written %j is refused with how to write it',
    (text) => {
      expect(() => parseListener(text)).toThrow(expect.objectContaining({ ending: 'usage' }) as Error);
    },
  );
});
