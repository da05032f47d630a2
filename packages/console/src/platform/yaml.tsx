import { stringify } from 'yaml';

import { Code } from '../parts/copy.tsx';

/** A value as YAML. It is in a file of its own, so that the library is loaded only when it is needed. */
export function Yaml({ label, value }: { readonly label: string; readonly value: unknown }) {
  return <Code label={label} text={stringify(value).trimEnd()} />;
}
