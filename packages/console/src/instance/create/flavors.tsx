import type { Flavor, Quotas } from '@unikorn/sdk';

import { number, words } from '../../words/index.ts';

const texts = words.instance.form;

/** Flavors as cards, with what is left of the quota afterwards. */
export function FlavorCards({
  flavors,
  quotas,
  value,
  onChange,
}: {
  readonly flavors: readonly Flavor[];
  readonly quotas: Quotas | undefined;
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const free = (kind: string) => quotas?.quotas.find((quota) => quota.kind === kind)?.free;
  const servers = free('servers');
  const gpus = free('gpus');
  return (
    <div role="radiogroup" aria-label={texts.flavor} className="grid gap-2 sm:grid-cols-2 2xl:grid-cols-3">
      {flavors
        .toSorted((one, other) => one.spec.cpus - other.spec.cpus || one.spec.memory - other.spec.memory)
        .map(({ metadata, spec }) => {
          const wanted = spec.gpu?.physicalCount ?? 0;
          const problem =
            servers !== undefined && servers < 1
              ? texts.overQuota(texts.servers, number(1), number(servers))
              : gpus !== undefined && wanted > gpus
                ? texts.overQuota(texts.gpus, number(wanted), number(gpus))
                : undefined;
          const chosen = value === metadata.id;
          return (
            <label
              key={metadata.id}
              className={`flex cursor-pointer items-start gap-2.5 rounded-md border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${
                chosen ? 'border-accent bg-selected' : 'border-line-strong hover:bg-hover'
              } ${problem === undefined ? '' : 'cursor-not-allowed bg-sunken'}`}
            >
              <input
                type="radio"
                name="flavor"
                value={metadata.id}
                checked={chosen}
                disabled={problem !== undefined}
                className="mt-0.5 accent-accent outline-none"
                onChange={() => {
                  onChange(metadata.id);
                }}
              />
              <span className="min-w-0">
                <span className="block font-medium">{metadata.name}</span>
                <span className="block text-sm text-muted">
                  {spec.cpus} CPU · {spec.memory} GiB · {spec.disk} GB
                </span>
                {spec.gpu && (
                  <span className="block text-sm text-muted">
                    {spec.gpu.physicalCount} × {spec.gpu.model}
                  </span>
                )}
                {problem !== undefined && <span className="block text-sm text-bad">{problem}</span>}
              </span>
            </label>
          );
        })}
    </div>
  );
}
