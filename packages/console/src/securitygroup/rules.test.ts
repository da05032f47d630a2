import { describe, expect, it } from 'vitest';

import { differenceOf, draftOf, isSameRules, mergedRules, ruleOf, ruleText, warningsOf, type Rule } from './rules.ts';

const ssh: Rule = { direction: 'ingress', protocol: 'tcp', port: 22, prefix: '0.0.0.0/0' };
const range: Rule = { direction: 'ingress', protocol: 'udp', port: 5000, portMax: 5010, prefix: '10.0.0.0/8' };
const outgoing: Rule = { direction: 'egress', protocol: 'any' };

describe('the rules of a security group', () => {
  it.each([ssh, range, outgoing])('survive the form: %j', (rule) => {
    expect(ruleOf(draftOf(rule, '1'))).toEqual(rule);
  });

  it('lose their ports if the protocol has none', () => {
    expect(ruleOf({ ...draftOf(ssh, '1'), protocol: 'icmp' })).toEqual({
      direction: 'ingress',
      protocol: 'icmp',
      prefix: '0.0.0.0/0',
    });
  });

  it('are written in one line', () => {
    expect([ssh, range, outgoing].map(ruleText)).toEqual([
      'incoming tcp 22 from 0.0.0.0/0',
      'incoming udp 5000–5010 from 10.0.0.0/8',
      'outgoing any to all addresses',
    ]);
  });

  it('are compared before they are saved', () => {
    expect(differenceOf([ssh, outgoing], [outgoing, range])).toEqual({
      added: ['incoming udp 5000–5010 from 10.0.0.0/8'],
      removed: ['incoming tcp 22 from 0.0.0.0/0'],
    });
  });

  it('are questioned where they are open, double or backwards', () => {
    expect(warningsOf([ssh])).toEqual(['Port 22 is open for the whole internet.']);
    expect(warningsOf([{ direction: 'ingress', protocol: 'any' }])).toEqual([
      'Every port is open for the whole internet.',
    ]);
    expect(warningsOf([outgoing, outgoing])).toEqual(['outgoing any to all addresses is there twice.']);
    expect(warningsOf([{ ...range, portMax: 4000 }])).toHaveLength(1);
    expect(warningsOf([{ ...ssh, port: 443 }, range])).toEqual([]);
  });

  it('of two people are merged: what either added is there, and what either removed is gone', () => {
    const ping: Rule = { direction: 'ingress', protocol: 'icmp', prefix: '0.0.0.0/0' };
    const opened = [ssh, range, outgoing];
    const theirs = [ssh, outgoing, ping];
    const mine = [{ ...ssh, prefix: '10.0.0.0/8' }, range, outgoing];
    expect(mergedRules(opened, theirs, mine)).toEqual([outgoing, ping, { ...ssh, prefix: '10.0.0.0/8' }]);
    expect(mergedRules(opened, [...opened, ping], [...opened, ping])).toEqual([...opened, ping]);
  });

  it('are the same in another order, and not with another rule', () => {
    expect(isSameRules([ssh, outgoing], [outgoing, ssh])).toBe(true);
    expect(isSameRules([ssh], [ssh, outgoing])).toBe(false);
    expect(isSameRules([ssh, outgoing], [ssh])).toBe(false);
  });
});
