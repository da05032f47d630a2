import type { SecurityGroup } from '@unikorn/sdk';

import { Failure } from '../failure.ts';

export type Rule = SecurityGroup['spec']['rules'][number];

const written =
  /^(?<direction>ingress|egress):(?<protocol>any|icmp|tcp|udp|vrrp)(?::(?<port>\d+)(?:-(?<portMax>\d+))?)?(?::(?<prefix>.+))?$/;

/** Parses a rule: `direction:protocol[:port[-port]][:prefix]`, or JSON. The service validates the values. */
export function parseRule(text: string): unknown {
  if (text.startsWith('{')) return parseObject(text);
  const { direction, protocol, port, portMax, prefix } = written.exec(text)?.groups ?? {};
  if (direction === undefined)
    throw new Failure(
      'usage',
      `${text} is not a rule; write direction:protocol:port:prefix, such as ingress:tcp:22:0.0.0.0/0`,
      'directions are ingress and egress; protocols are any, icmp, tcp, udp and vrrp; port and prefix are optional',
    );
  return {
    direction,
    protocol,
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(portMax === undefined ? {} : { portMax: Number(portMax) }),
    ...(prefix === undefined ? {} : { prefix }),
  };
}

export function ruleText({ direction, protocol, port, portMax, prefix }: Rule): string {
  const ports = port === undefined ? [] : [portMax === undefined ? String(port) : `${port}-${portMax}`];
  return [direction, protocol, ...ports, ...(prefix === undefined ? [] : [prefix])].join(':');
}

/** One element of a list, as JSON. */
export function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure('usage', `${text} is not JSON`);
  }
}
