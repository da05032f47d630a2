import type { RegionRead } from '@unikorn/sdk';

import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useRights } from '../../session/rights.ts';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { useTurn } from './queries.ts';

const texts = platformWords.regions;

/** Says that a simulated region is down, and offers to bring it back. */
export function DownNotice({ region }: { readonly region: Pick<RegionRead, 'metadata'> }) {
  const rights = useRights(undefined);
  const { mutate, isPending, error } = useTurn(region.metadata.id);
  const reason = rights.mayGlobally('region:regions/simulation', 'update') ? undefined : words.parts.missingRight;
  return (
    <Notice tone="warn">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-medium">{texts.down(region.metadata.name)}</p>
        <Button
          kind="primary"
          busy={isPending}
          reason={reason}
          onClick={() => {
            mutate({ service: 'up' });
          }}
        >
          {texts.bringBack}
        </Button>
      </div>
      {error && <Problem error={error} />}
    </Notice>
  );
}
