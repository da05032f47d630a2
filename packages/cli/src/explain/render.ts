import type { Explanation } from '@unikorn/sdk';

import type { NameOf, Reference } from '../instance/references.ts';
import { withNames } from '../known-names.ts';
import type { Noun } from '../nouns/noun.ts';
import type { Colours } from '../output/colours.ts';
import { durationText } from '../output/duration.ts';
import { withFlagNames } from '../typed.ts';

type Node = Explanation['nodes'][number];

interface Style {
  readonly noun: Noun;
  readonly nameOf: NameOf;
  readonly now: Date;
  readonly colours: Colours;
}

/** The explanation of a resource: the root cause first, and under it the resources that it blocks. */
export function renderExplanation(name: string, { ready, summary, nodes }: Explanation, style: Style): string {
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

/** The root cause with its remedies; nothing for a resource that is ready. */
export function renderBlocker({ nodes }: Explanation, style: Style): string {
  const deepest = nodes.find(isTrouble);
  return deepest ? branch(deepest, 0, undefined, style) : '';
}

/** The names of the resources that an explanation contains by id only. */
export function regionsIn({ nodes }: Explanation): readonly Reference[] {
  return nodes.filter(({ kind }) => kind === 'region').map(({ id }) => ({ noun: 'region', id }));
}

function isTrouble({ state }: Node): boolean {
  return state !== 'ready';
}

/** A node that only repeats the problem of the node below it is not shown. */
function branch(node: Node, depth: number, cause: Node | undefined, { noun, nameOf, now, colours }: Style): string {
  const [stem, under] = depth === 0 ? ['', '  '] : [`${'   '.repeat(depth - 1)}└─ `, `${'   '.repeat(depth)}  `];
  const passesOn = node.message === cause?.message;
  const message = withNames(withFlagNames(noun, withoutCause(node.message, cause)));
  const head = `${colours.dim(stem)}${signOf(node, colours)} ${colours.bold(titleOf(node, nameOf))}: ${passesOn ? node.state : message}\n`;
  const helps = node.unblockedBy === undefined ? '' : `${under}what to do: ${withNames(node.unblockedBy ?? '')}\n`;
  return passesOn ? head : `${head}${under}${colours.dim(circumstances(node, now))}\n${helps}`;
}

/** A message that repeats the message of the node below it is not shown. */
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
    case 'holding':
      return colours.red('✗');
  }
}

/**
 * Such as `security group web`. If a node belongs only to the resource, its id has no meaning for users and is not
 * shown.
 */
function titleOf({ kind, name, id }: Node, nameOf: NameOf): string {
  const title = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (kind === 'holder') return name ?? id;
  if (name !== undefined) return `${title} ${name}`;
  switch (kind) {
    case 'region':
      return `${title} ${nameOf(kind, id)}`;
    case 'organization':
    case 'project':
    case 'network':
    case 'securityGroup':
    case 'sshCertificateAuthority':
    case 'image':
    case 'flavor':
    case 'storageClass':
    case 'source':
    case 'member':
      return `${title} ${id}`;
    case 'cloudIdentity':
    case 'providerResource':
    case 'machine':
    case 'server':
    case 'loadBalancer':
    case 'fileStorage':
    case 'quota':
    case 'instance':
      return title;
  }
}
