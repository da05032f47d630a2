import type { InstanceExplanation } from '@unikorn/sdk';

import { instance } from '../nouns/instance.ts';
import type { Colours } from '../output/colours.ts';
import { durationText } from '../output/duration.ts';
import { withFlagNames } from '../typed.ts';
import type { NameOf, Reference } from './references.ts';

type Node = InstanceExplanation['nodes'][number];

interface Style {
  readonly nameOf: NameOf;
  readonly now: Date;
  readonly colours: Colours;
}

/** Why an instance is as it is: the deepest of what stands in the way first, and under it what it holds up. */
export function renderExplanation(name: string, { ready, summary, nodes }: InstanceExplanation, style: Style): string {
  const { colours, nameOf } = style;
  if (ready) return `${colours.green('✓')} ${name}: ${summary}\n`;
  const [troubled, fine] = [nodes.filter(isTrouble), nodes.filter((node) => !isTrouble(node))];
  const chain = troubled.map((node, depth) => branch(node, depth, troubled[depth - 1], style));
  return [
    ...chain,
    ...(fine.length > 0
      ? [`${colours.green('✓')} ${colours.dim(fine.map((node) => titleOf(node, nameOf)).join(', '))}\n`]
      : []),
  ].join('');
}

/** The deepest of what stands in the way, with what would help; nothing for an instance that is as it should be. */
export function renderBlocker({ nodes }: InstanceExplanation, style: Style): string {
  const deepest = nodes.find(isTrouble);
  return deepest ? branch(deepest, 0, undefined, style) : '';
}

/** What an explanation refers to by id alone. */
export function regionsIn({ nodes }: InstanceExplanation): readonly Reference[] {
  return nodes.filter(({ kind }) => kind === 'region').map(({ id }) => ({ noun: 'region', id }));
}

function isTrouble({ state }: Node): boolean {
  return state !== 'ready';
}

/** What only passes on the trouble below it has nothing to add. */
function branch(node: Node, depth: number, cause: Node | undefined, { nameOf, now, colours }: Style): string {
  const [stem, under] = depth === 0 ? ['', '  '] : [`${'   '.repeat(depth - 1)}└─ `, `${'   '.repeat(depth)}  `];
  const passesOn = node.message === cause?.message;
  const message = withFlagNames(instance, withoutCause(node.message, cause));
  const head = `${colours.dim(stem)}${signOf(node, colours)} ${colours.bold(titleOf(node, nameOf))}: ${passesOn ? node.state : message}\n`;
  const helps = node.unblockedBy === undefined ? '' : `${under}helps: ${node.unblockedBy}\n`;
  return passesOn ? head : `${head}${under}${colours.dim(circumstances(node, now))}\n${helps}`;
}

/** What the one below it says is not said again. */
function withoutCause(message: string, cause: Node | undefined): string {
  const ending = `: ${cause?.message}`;
  return message.endsWith(ending) ? message.slice(0, -ending.length) : message;
}

function circumstances({ state, reason, since, attempts, nextRetry }: Node, now: Date): string {
  const lasting = since === undefined ? state : `${state} for ${durationText(now.getTime() - Date.parse(since))}`;
  const tried = attempts === undefined ? [] : [`attempt ${attempts}`];
  const next = nextRetry === undefined ? [] : [`next in ${durationText(Date.parse(nextRetry) - now.getTime())}`];
  return [`${lasting} (${reason})`, ...tried, ...next].join(', ');
}

function signOf({ state }: Node, colours: Colours): string {
  switch (state) {
    case 'ready':
      return colours.green('✓');
    case 'progressing':
    case 'waiting':
    case 'deleting':
      return colours.cyan('…');
    case 'retrying':
    case 'degraded':
    case 'paused':
      return colours.yellow('!');
    case 'failed':
    case 'missing':
      return colours.red('✗');
  }
}

/** Such as `security group web`. Of what belongs to nothing but the instance, the id says nothing. */
function titleOf({ kind, name, id }: Node, nameOf: NameOf): string {
  const title = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (name !== undefined) return `${title} ${name}`;
  switch (kind) {
    case 'region':
      return `${title} ${nameOf(kind, id)}`;
    case 'network':
    case 'securityGroup':
    case 'sshCertificateAuthority':
      return `${title} ${id}`;
    case 'cloudIdentity':
    case 'providerResource':
    case 'machine':
    case 'quota':
    case 'instance':
      return title;
  }
}
