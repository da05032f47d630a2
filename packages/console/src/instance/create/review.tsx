import type { ReactNode } from 'react';

import type { InstanceCreate } from '@unikorn/sdk';

import { Code } from '../../parts/copy.tsx';
import { Fact, Facts, Section } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

const texts = words.instance.form;

interface Names {
  readonly network: string;
  readonly flavor: string;
  readonly image: string;
  readonly groups: readonly string[];
}

/** What will be created, always in view, and the same as a command and as a file. */
export function Review({
  body,
  names,
  children,
}: {
  readonly body: InstanceCreate;
  readonly names: Names;
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
          <details>
            <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">{words.parts.command}</summary>
            <div className="mt-2">
              <Code label={words.parts.command} text={commandOf(body, names)} />
            </div>
          </details>
          <details>
            <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">{texts.request}</summary>
            <div className="mt-2">
              <Code label={texts.request} text={requestOf(body)} />
            </div>
          </details>
        </div>
      </Section>
    </div>
  );
}

function commandOf({ metadata, spec }: InstanceCreate, { network, flavor, image, groups }: Names): string {
  return [
    `npx unikorn instance create ${metadata.name || '<name>'}`,
    `--network ${network || '<network>'}`,
    `--flavor ${flavor || '<flavor>'}`,
    `--image ${image || '<image>'}`,
    ...groups.map((group) => `--security-group ${group}`),
    ...(spec.networking?.publicIP === true ? ['--public-ip'] : []),
  ].join(' \\\n  ');
}

/** Without user data, which may contain secrets. */
function requestOf({ metadata, spec }: InstanceCreate): string {
  const shown = { metadata, spec: { ...spec, ...(spec.userData === undefined ? {} : { userData: '…' }) } };
  return `POST /compute/api/v2/instances\n${JSON.stringify(shown, undefined, 2)}`;
}
