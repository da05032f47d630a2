import type { ReactNode } from 'react';

import type { InstanceCreate } from '@unikorn/sdk';

import { Fact, Facts, Section } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

const texts = words.instance.form;

interface Names {
  readonly network: string;
  readonly flavor: string;
  readonly image: string;
}

/** What will be created, always in view, and the same as a command and as a file. */
export function Review({
  body,
  names,
  same,
  children,
}: {
  readonly body: InstanceCreate;
  readonly names: Names;
  readonly same: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="xl:sticky xl:top-16">
      <Section title={texts.review}>
        <div className="flex flex-col gap-4">
          <Facts>
            <Fact name={texts.name}>{body.metadata.name || '–'}</Fact>
            <Fact name={texts.network}>{names.network || '–'}</Fact>
            <Fact name={texts.flavor}>{names.flavor || '–'}</Fact>
            <Fact name={texts.image}>{names.image || '–'}</Fact>
          </Facts>
          {children}
          {same}
        </div>
      </Section>
    </div>
  );
}
