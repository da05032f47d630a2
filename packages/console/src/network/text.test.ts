import { describe, expect, it } from 'vitest';

import { linesOf } from '../parts/lines.ts';
import { parseRoutes, routeText, sizeOf } from './text.ts';

describe('the form of a network', () => {
  it('takes one address in each line, or separated by commas', () => {
    expect(linesOf(' 1.1.1.1\n\n8.8.8.8, 9.9.9.9 ')).toEqual(['1.1.1.1', '8.8.8.8', '9.9.9.9']);
  });

  it('shows routes as it takes them', () => {
    const routes = [{ prefix: '192.168.0.0/16', nexthop: '10.0.0.254' }];
    expect(parseRoutes(routeText(routes))).toEqual({ routes });
    expect(parseRoutes('192.168.0.0/16')).toMatchObject({
      problem: expect.stringContaining('192.168.0.0/16') as string,
    });
  });

  it('knows how many addresses a prefix has', () => {
    expect([sizeOf('10.0.0.0/24'), sizeOf('10.0.0.0/22')]).toEqual([256, 1024]);
  });
});
