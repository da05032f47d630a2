import type { SecurityGroup } from '@unikorn/sdk';

import { mergedBy } from '../parts/three-way.ts';
import { words } from '../words/index.ts';

export type Rule = SecurityGroup['spec']['rules'][number];

const texts = words.securityGroup;

/** A rule while it is being written: every field is a text. */
export interface DraftRule {
  readonly key: string;
  readonly direction: Rule['direction'];
  readonly protocol: Rule['protocol'];
  readonly port: string;
  readonly portMax: string;
  readonly prefix: string;
}

export const directions = ['ingress', 'egress'] as const satisfies readonly Rule['direction'][];
export const protocols = ['tcp', 'udp', 'icmp', 'vrrp', 'any'] as const satisfies readonly Rule['protocol'][];

const everywhere = '0.0.0.0/0';

/** Rules that are often wanted. */
export const presets: readonly { readonly name: string; readonly rule: Rule }[] = [
  { name: texts.presetNames.ssh, rule: { direction: 'ingress', protocol: 'tcp', port: 22, prefix: everywhere } },
  { name: texts.presetNames.http, rule: { direction: 'ingress', protocol: 'tcp', port: 80, prefix: everywhere } },
  { name: texts.presetNames.https, rule: { direction: 'ingress', protocol: 'tcp', port: 443, prefix: everywhere } },
  { name: texts.presetNames.ping, rule: { direction: 'ingress', protocol: 'icmp', prefix: everywhere } },
  { name: texts.presetNames.outgoing, rule: { direction: 'egress', protocol: 'any' } },
];

export function hasPorts(protocol: Rule['protocol']): boolean {
  return protocol === 'tcp' || protocol === 'udp';
}

export function draftOf({ direction, protocol, port, portMax, prefix }: Rule, key: string): DraftRule {
  return {
    key,
    direction,
    protocol,
    port: port === undefined ? '' : String(port),
    portMax: portMax === undefined ? '' : String(portMax),
    prefix: prefix ?? '',
  };
}

/** The rule as the API takes it. Ports are left out where a protocol has none. */
export function ruleOf({ direction, protocol, port, portMax, prefix }: DraftRule): Rule {
  const ports = hasPorts(protocol);
  return {
    direction,
    protocol,
    ...(ports && port.trim() !== '' ? { port: Number(port) } : {}),
    ...(ports && portMax.trim() !== '' ? { portMax: Number(portMax) } : {}),
    ...(prefix.trim() === '' ? {} : { prefix: prefix.trim() }),
  };
}

export function portText({ protocol, port, portMax }: Rule): string {
  if (!hasPorts(protocol) || port === undefined) return texts.anyPort;
  return portMax === undefined || portMax === port ? String(port) : `${port}–${portMax}`;
}

/** A rule in one line, such as `incoming tcp 22 from 0.0.0.0/0`. */
export function ruleText(rule: Rule): string {
  const ports = hasPorts(rule.protocol) ? ` ${portText(rule)}` : '';
  const preposition = rule.direction === 'ingress' ? 'from' : 'to';
  return `${texts.directions[rule.direction]} ${rule.protocol}${ports} ${preposition} ${rule.prefix ?? texts.anyPrefix}`;
}

/** What is added and what is removed, compared as texts: rules have no names. */
export function differenceOf(
  before: readonly Rule[],
  after: readonly Rule[],
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const [old, wanted] = [before.map(ruleText), after.map(ruleText)];
  return {
    added: wanted.filter((text) => !old.includes(text)),
    removed: old.filter((text) => !wanted.includes(text)),
  };
}

/** Whether they allow the same. Their order says nothing. */
export function isSameRules(one: readonly Rule[], other: readonly Rule[]): boolean {
  const { added, removed } = differenceOf(one, other);
  return added.length + removed.length === 0;
}

/** Their rules with my changes: what I added is added, and what I removed is removed. */
export const mergedRules = mergedBy(ruleText);

/** Ports that are seldom meant for the whole internet. */
const sensitive = [22, 23, 135, 445, 1433, 2375, 3306, 3389, 5432, 5900, 6379, 9200, 11_211, 27_017];

/** What a reader of the rules would ask about. Nothing of this is refused. */
export function warningsOf(rules: readonly Rule[]): readonly string[] {
  const lines = rules.map(ruleText);
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
  const open = rules.filter(
    ({ direction, prefix }) => direction === 'ingress' && (prefix === undefined || prefix === everywhere),
  );
  return [
    ...rules
      .filter(({ port, portMax }) => port !== undefined && portMax !== undefined && portMax < port)
      .map((rule) => texts.warnings.backwards(ruleText(rule))),
    ...[...new Set(twice)].map((line) => texts.warnings.twice(line)),
    ...open.flatMap((rule) => openness(rule)),
  ];
}

function openness({ protocol, port, portMax }: Rule): readonly string[] {
  if (protocol === 'any' || (hasPorts(protocol) && port === undefined)) return [texts.warnings.everything];
  if (!hasPorts(protocol) || port === undefined) return [];
  const last = portMax ?? port;
  return sensitive.filter((each) => each >= port && each <= last).map((each) => texts.warnings.open(String(each)));
}
