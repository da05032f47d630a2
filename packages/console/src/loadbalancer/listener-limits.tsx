import { useState } from 'react';

import { defined } from '../defined.ts';
import { CheckField, TextField } from '../parts/field.tsx';
import { linesOf } from '../parts/lines.ts';
import { words } from '../words/index.ts';
import type { DraftListener } from './listeners.ts';

const texts = words.loadBalancer;

const checks = ['intervalSeconds', 'timeoutSeconds', 'healthyThreshold', 'unhealthyThreshold'] as const;

type Rest = DraftListener['rest'];

/** What of a listener is seldom needed. An empty number is the default of the service. */
export function ListenerLimits({
  listener: { protocol, healthCheck, rest },
  onChange,
}: {
  readonly listener: DraftListener;
  readonly onChange: (changes: Partial<DraftListener>) => void;
}) {
  const [allowed, setAllowed] = useState((rest.allowedCidrs ?? []).join('\n'));
  const { allowedCidrs, idleTimeoutSeconds, proxyProtocolV2, healthCheck: settings = {}, ...others } = rest;
  const set = (changes: { readonly [Key in keyof Rest]?: Rest[Key] | undefined }) => {
    const next = { allowedCidrs, idleTimeoutSeconds, proxyProtocolV2, healthCheck: rest.healthCheck, ...changes };
    onChange({ rest: { ...others, ...defined(next) } });
  };
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded text-muted hover:text-text">{texts.more}</summary>
      <div className="mt-3 flex flex-col gap-3">
        <TextField
          label={texts.allowed}
          hint={texts.allowedHint}
          rows={2}
          mono
          value={allowed}
          onChange={(text) => {
            setAllowed(text);
            const prefixes = linesOf(text);
            set({ allowedCidrs: prefixes.length === 0 ? undefined : prefixes });
          }}
        />
        <CheckField
          label={texts.proxyProtocol}
          checked={proxyProtocolV2 === true}
          onChange={(checked) => {
            set({ proxyProtocolV2: checked ? true : undefined });
          }}
        />
        <div className="grid grid-cols-2 items-end gap-3">
          {protocol === 'tcp' && (
            <NumberField
              label={texts.idleTimeout}
              value={idleTimeoutSeconds}
              onChange={(value) => {
                set({ idleTimeoutSeconds: value });
              }}
            />
          )}
          {healthCheck &&
            checks.map((check) => (
              <NumberField
                key={check}
                label={texts.checks[check]}
                value={settings[check]}
                onChange={(value) => {
                  set({ healthCheck: defined({ ...settings, [check]: value }) });
                }}
              />
            ))}
        </div>
      </div>
    </details>
  );
}

function NumberField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}) {
  return (
    <TextField
      label={label}
      type="number"
      placeholder={words.parts.optional}
      value={value === undefined ? '' : String(value)}
      onChange={(text) => {
        onChange(/^\d+$/.test(text) ? Number(text) : undefined);
      }}
    />
  );
}
