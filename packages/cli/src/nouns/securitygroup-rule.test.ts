import { describe, expect, it } from 'vitest';

import { parseRule, ruleText, type Rule } from './securitygroup-rule.ts';

const rules: readonly (readonly [string, Rule])[] = [
  ['ingress:tcp:22:0.0.0.0/0', { direction: 'ingress', protocol: 'tcp', port: 22, prefix: '0.0.0.0/0' }],
  ['ingress:tcp:8000-8080', { direction: 'ingress', protocol: 'tcp', port: 8000, portMax: 8080 }],
  ['egress:any', { direction: 'egress', protocol: 'any' }],
  ['egress:any:10.0.0.0/8', { direction: 'egress', protocol: 'any', prefix: '10.0.0.0/8' }],
  ['ingress:udp:53:fd00::/8', { direction: 'ingress', protocol: 'udp', port: 53, prefix: 'fd00::/8' }],
];

describe('a rule', () => {
  it.each(rules)('%s is parsed, and shown in the same form', (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
    expect(ruleText(rule)).toBe(text);
  });

  it('can be written as JSON', () => {
    expect(parseRule('{"direction":"egress","protocol":"any"}')).toEqual({ direction: 'egress', protocol: 'any' });
  });

  it.each(['tcp:22', 'ingress', 'ingress:http', '{"direction"', ''])(
    'written %j is refused with how to write it',
    (text) => {
      expect(() => parseRule(text)).toThrow(expect.objectContaining({ ending: 'usage' }) as Error);
    },
  );
});
