import type { Tag } from '@unikorn/sdk';

/** Tags as they are written: name=value. */
export function Tags({ tags = [] }: { readonly tags?: readonly Tag[] | undefined }) {
  if (tags.length === 0) return <span className="text-muted">–</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {tags.map(({ name, value }) => (
        <span key={name} className="inline-flex h-5 items-center rounded bg-idle-soft px-1.5 text-sm text-idle">
          {name}={value}
        </span>
      ))}
    </span>
  );
}
