import { ApiError } from '@unikorn/sdk';

import type { Writing } from './fields.ts';
import { scopes, type Field, type Noun } from './nouns/noun.ts';

/** A refusal in the terms of the command: the field `spec.prefix` of the service is the flag `--prefix`. */
export function asTyped(noun: Noun, writing: Writing, message: string): string {
  const [, path, rule] = /^(?:body\.)?((?:metadata|spec)\.[^\s:]+): (.+)$/s.exec(message) ?? [];
  const typed = path === undefined ? undefined : typedAt(noun, writing, path);
  return typed === undefined || rule === undefined ? message : `${typed}: ${rule}`;
}

/** Throws the error again; a refusal is first translated to the terms of the command. */
export function refusedAsTyped(noun: Noun, writing: Writing): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, traceId, body, request } = error;
    throw new ApiError({ status, code, message: asTyped(noun, writing, message), traceId, body, request });
  };
}

/** Replaces the fields in a message of a service by the names of flags: `spec.imageId changed` → `image changed`. */
export function withFlagNames(noun: Noun, text: string): string {
  return text.replaceAll(/\b(?:metadata|spec)(?:\.[A-Za-z]+)+/g, (path) => fieldAt(noun, path)?.flag ?? path);
}

const common: Readonly<Record<string, string>> = {
  'metadata.name': '--name',
  'metadata.description': '--description',
  'metadata.tags': '--tag',
};

function typedAt(noun: Noun, writing: Writing, path: string): string | undefined {
  if (writing === 'create' && path === (noun.namePath ?? 'metadata.name'))
    return noun.namePath === undefined ? 'name' : 'mail address';
  const field = fieldAt(noun, path);
  if (field) return `--${field.flag}${detailsOf(path.slice(field.path.length + 1))}`;
  const scope = scopes.find((each) => path === `spec.${each}Id`);
  return scope === undefined ? common[path.split('.').slice(0, 2).join('.')] : `--${scope}`;
}

function fieldAt({ fields }: Noun, path: string): Field | undefined {
  return fields.find((field) => path === field.path || path.startsWith(`${field.path}.`));
}

/** Which of several values it is about, and which part of it. */
function detailsOf(rest: string): string {
  const [, index, inner = ''] = /^(\d+)?\.?(.*)$/.exec(rest) ?? [];
  const details = [
    ...(index === undefined || index === '0' ? [] : [`number ${Number(index) + 1}`]),
    ...(inner === '' ? [] : [inner]),
  ];
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}
