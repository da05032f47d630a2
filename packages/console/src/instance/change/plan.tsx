import type { InstancePlan } from '@unikorn/sdk';

import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/page.tsx';
import { number, words } from '../../words/index.ts';
import { textOf } from '../user-data-encoding.ts';
import { planDifference } from './difference.ts';

const texts = words.instance.change;

const steps = ['none', 'in-place', 'restart', 'rebuild', 'recreate'] as const;

const fills = ['bg-good-mark', 'bg-good-mark', 'bg-warn-mark', 'bg-bad-mark', 'bg-bad-mark'] as const;

/** What an update would do: how much it disrupts, on one scale, and what is lost. */
export function PlanView({
  plan,
  earlier,
  nameOf,
}: {
  readonly plan: InstancePlan;
  /** The plan that the user saw before, if this one replaced it. */
  readonly earlier: InstancePlan | undefined;
  /** The name of an object with this id; the id itself if there is none. */
  readonly nameOf: (id: string) => string;
}) {
  const level = steps.indexOf(plan.action);
  const quota = plan.quota.filter(({ delta }) => delta !== 0);
  const valueOf = (field: string, value: unknown) => valueText(field, value, nameOf);
  const difference =
    earlier &&
    planDifference(earlier, plan, {
      action: ({ action }) => `${texts.actions[action]}: ${texts.meanings[action]}`,
      change: ({ field, from, to }) =>
        `${texts.fields[field] ?? field}: ${valueOf(field, from)} → ${valueOf(field, to)}`,
    });
  return (
    <section aria-label={texts.plan} className="flex flex-col gap-3 rounded-md border border-line bg-sunken p-4">
      <div>
        <ol aria-hidden="true" className="grid grid-cols-5 gap-1">
          {steps.map((step, index) => (
            <li key={step} className={`h-1.5 rounded-full ${index <= level ? fills[level] : 'bg-line-strong'}`} />
          ))}
        </ol>
        <p className="mt-2 font-medium">{texts.actions[plan.action]}</p>
        <p className="text-muted">{texts.meanings[plan.action]}</p>
      </div>
      {difference && (
        <div>
          <p className="font-medium">{texts.difference}</p>
          {difference.length === 0 && <p>{texts.sameText}</p>}
          <ul className="flex flex-col gap-1">
            {difference.map(({ is, text }) => (
              <li key={`${is} ${text}`} className={`break-words ${is === 'gone' ? 'text-muted' : 'font-medium'}`}>
                {texts[is]}: {is === 'gone' ? <del>{text}</del> : <ins className="no-underline">{text}</ins>}
              </li>
            ))}
          </ul>
        </div>
      )}
      {plan.changes.length > 0 && (
        <ul className="flex flex-col gap-1">
          {plan.changes.map(({ field, from, to, action }) => (
            <li key={field} className="flex flex-wrap items-center gap-x-2">
              <span className="text-muted">{texts.fields[field] ?? field}</span>
              <span className="font-medium">{valueOf(field, from)}</span>
              <Icon name="chevronRight" className="size-3 text-muted" />
              <span className="font-medium">{valueOf(field, to)}</span>
              <span className="text-sm text-muted">({texts.actions[action]})</span>
            </li>
          ))}
        </ul>
      )}
      {plan.losses.length > 0 && (
        <Notice tone="warn">
          <p className="font-medium">{texts.losses}</p>
          <Sentences list={plan.losses} />
        </Notice>
      )}
      {plan.warnings.length > 0 && (
        <Notice tone="warn">
          <Sentences list={plan.warnings} />
        </Notice>
      )}
      {plan.blockers.length > 0 && (
        <Notice tone="warn">
          <p className="font-medium">{texts.blocked}</p>
          <Sentences list={plan.blockers.map(({ message }) => message)} />
        </Notice>
      )}
      {quota.length > 0 && (
        <p className="text-sm text-muted">
          {quota
            .map(({ kind, delta, free }) => texts.quota(kind, `${delta > 0 ? '+' : ''}${number(delta)}`, number(free)))
            .join(' · ')}
        </p>
      )}
    </section>
  );
}

/** A value of the plan in words of the user. User data can be long and secret, so only its length is shown. */
function valueText(field: string, value: unknown, nameOf: (id: string) => string): string {
  if (value === undefined || value === null || value === '') return '–';
  if (field === 'spec.userData' && typeof value === 'string') return texts.characters(textOf(value).length);
  if (Array.isArray(value)) return value.map((each) => valueText(field, each, nameOf)).join(', ') || '–';
  if (typeof value === 'boolean') return value ? words.instance.on : words.instance.off;
  return typeof value === 'string' ? nameOf(value) : JSON.stringify(value);
}

function Sentences({ list }: { readonly list: readonly string[] }) {
  return (
    <ul lang="en">
      {list.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
