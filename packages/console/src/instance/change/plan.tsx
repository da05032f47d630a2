import type { InstancePlan } from '@unikorn/sdk';

import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/page.tsx';
import { number, words } from '../../words/index.ts';

const texts = words.instance.change;

const steps = ['none', 'in-place', 'restart', 'rebuild', 'recreate'] as const;

const fills = ['bg-good-mark', 'bg-good-mark', 'bg-warn-mark', 'bg-bad-mark', 'bg-bad-mark'] as const;

/** What an update would do: how much it disrupts, on one scale, and what is lost. */
export function PlanView({
  plan,
  names,
}: {
  readonly plan: InstancePlan;
  readonly names: { readonly flavor: (id: string) => string; readonly image: (id: string) => string };
}) {
  const level = steps.indexOf(plan.action);
  const quota = plan.quota.filter(({ delta }) => delta !== 0);
  const nameOf = (field: string, value: unknown): string => {
    if (value === undefined || value === null) return '–';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return field.endsWith('flavorId') ? names.flavor(text) : field.endsWith('imageId') ? names.image(text) : text;
  };
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
      {plan.changes.length > 0 && (
        <ul className="flex flex-col gap-1">
          {plan.changes.map(({ field, from, to, action }) => (
            <li key={field} className="flex flex-wrap items-center gap-x-2">
              <span className="text-muted">{texts.fields[field] ?? field}</span>
              <span className="font-medium">{nameOf(field, from)}</span>
              <Icon name="chevronRight" className="size-3 text-muted" />
              <span className="font-medium">{nameOf(field, to)}</span>
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

function Sentences({ list }: { readonly list: readonly string[] }) {
  return (
    <ul lang="en">
      {list.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
