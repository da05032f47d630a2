import { quantityText } from '@unikorn/sdk';

import { scopes } from '../contexts/contexts.ts';
import { sourceText } from '../contexts/place.ts';
import { whoText } from '../login/who.ts';
import { paintStatus, type Colours } from '../output/colours.ts';
import { ageText } from '../output/duration.ts';
import { padded, renderTable } from '../output/table.ts';
import type { Status } from './status.ts';

/** The status as text: a summary, then the resources with problems. */
export function renderStatus(
  status: Status,
  { colours, now }: { readonly colours: Colours; readonly now: Date },
): string {
  const { url, source, services, who, about, instances, quotas, problems, local } = status;
  const facts = [
    ['Control plane', `${url}, ${sourceText(source)}`],
    ...(local
      ? [['Server', `ready for ${ageText(local.readySince, now)}, state of ${sizeText(local.size_bytes)}`] as const]
      : []),
    ['Services', services.map(({ name, version }) => `${name} ${version}`).join(', ')],
    ['You are', whoText(who)],
    ...scopes.map(
      (scope) =>
        [scope.charAt(0).toUpperCase() + scope.slice(1), about[scope]?.name ?? colours.dim('not chosen')] as const,
    ),
    ['Instances', countsText(instances, colours)],
  ] as const;
  const width = Math.max(...facts.map(([label]) => label.length)) + 2;
  const lines = facts.map(([label, text]) => `${colours.dim(padded(`${label}:`, width))} ${text}\n`);
  return [...lines, ...quotaText(quotas, colours), ...problemsText(problems, colours)].join('');
}

function countsText(instances: Status['instances'], colours: Colours): string {
  if (!instances) return 'unknown';
  const counts = Object.entries(instances).map(([state, count]) => `${count} ${paintStatus(colours, state)}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}

function quotaText(quotas: Status['quotas'], colours: Colours): readonly string[] {
  if (!quotas || quotas.length === 0) return [];
  const row = ({ displayName, format, used, quantity, free }: (typeof quotas)[number]) => {
    const [usedText, allowedText] = [quantityText(used, format), quantityText(quantity, format)];
    return [displayName, used > 0 && free <= 0 ? colours.yellow(usedText) : usedText, allowedText];
  };
  return ['\n', renderTable(['QUOTA', 'USED', 'OF'], quotas.map(row), { paintHeader: colours.dim })];
}

function problemsText(problems: Status['problems'], colours: Colours): readonly string[] {
  if (problems.length === 0) return [];
  const explainable = problems.some(({ what }) => what.startsWith('instance '));
  return [
    '\n',
    ...problems.map(({ what, message }) => `${colours.red('!')} ${what}: ${message}\n`),
    ...(explainable ? [colours.dim('unikorn instance explain <name> shows the reason\n')] : []),
  ];
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
