import { isDeepStrictEqual } from 'node:util';

import { Compile, type Validator } from 'typebox/compile';
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import type { Kind, Resource } from './kind.ts';
import type { WritableMetadata } from './metadata.ts';
import { metadataViolation, type Violation } from './metadata-rules.ts';
import { follow, pointerSteps, pointerTo } from './pointer.ts';
import { celView, compileRule, type CompiledRule } from './rules.ts';
import { sealed } from './schema.ts';

/** An object that will be stored. */
export interface Candidate {
  readonly metadata: WritableMetadata;
  readonly spec: unknown;
  readonly status?: unknown;
}

/** The compiled checks of a kind. */
interface Admission {
  readonly spec: Validator;
  readonly status: Validator;
  readonly immutable: readonly { readonly pointer: string; readonly steps: readonly string[] }[];
  readonly rules: readonly CompiledRule[];
  /** The object in the form that rules get. */
  readonly view: (candidate: Candidate) => unknown;
}

const admissions = new WeakMap<Kind, Admission>();

function admissionOf(kind: Kind): Admission {
  const known = admissions.get(kind);
  if (known) return known;
  const compiled: Admission = {
    spec: Compile(sealed(kind.spec)),
    status: Compile(sealed(kind.status)),
    immutable: kind.immutable.map((pointer) => ({ pointer, steps: pointerSteps(pointer) })),
    rules: kind.admission.map(compileRule),
    view: viewOf(kind),
  };
  admissions.set(kind, compiled);
  return compiled;
}

/** Rules only see the name of the metadata, as in Kubernetes. */
function viewOf({ apiVersion, kind, spec, status }: Kind): (candidate: Candidate) => unknown {
  const show = (schema: TSchema) => celView(schema) ?? ((value: unknown) => value);
  const [showSpec, showStatus] = [show(spec), show(status)];
  return (candidate) => ({
    apiVersion,
    kind,
    metadata: { name: candidate.metadata.name },
    spec: showSpec(candidate.spec),
    ...(candidate.status === undefined ? {} : { status: showStatus(candidate.status) }),
  });
}

/**
 * Refuses objects that must not be stored. The order is metadata, schemas, required labels or immutable fields, rules.
 * Unchanged parts are not checked again. The message names kind, object, field and rule, and never a value.
 * `assertFits` checks the size later, on the serialized object.
 *
 * @example admit(Network, { metadata: { name: id }, spec: { prefix: '10.0.0.0/8' } });
 */
export function admit<K extends Kind>(kind: K, candidate: Candidate, previous?: Resource<K>): void {
  const admission = admissionOf(kind);
  const isNew = (part: 'metadata' | 'spec' | 'status') => candidate[part] !== previous?.[part];
  const violation =
    (isNew('metadata') ? metadataViolation(candidate.metadata) : undefined) ??
    (isNew('spec') ? schemaViolation('spec', admission.spec, candidate.spec) : undefined) ??
    (isNew('status') && candidate.status !== undefined
      ? schemaViolation('status', admission.status, candidate.status)
      : undefined) ??
    (previous ? immutableViolation(admission, candidate, previous) : missingLabel(kind, candidate)) ??
    ruleViolation(admission, candidate, previous);
  if (violation) throw refusal(kind, candidate, violation);
}

function schemaViolation(part: 'spec' | 'status', validator: Validator, value: unknown): Violation | undefined {
  if (validator.Check(value)) return undefined;
  const [first] = validator.Errors(value);
  if (first?.keyword === 'boolean') {
    return {
      path: pointerTo(part) + first.instancePath,
      rule: 'is not in the schema, and Kubernetes would drop it silently: declare it, or leave it out',
    };
  }
  return { path: pointerTo(part) + (first?.instancePath ?? ''), rule: first ? ruleOf(first) : 'must match the schema' };
}

function ruleOf(error: TLocalizedValidationError): string {
  return error.keyword === 'enum' ? `must be one of ${error.params.allowedValues.join(', ')}` : error.message;
}

function missingLabel({ requiredLabels }: Kind, { metadata: { labels = {} } }: Candidate): Violation | undefined {
  const missing = requiredLabels.find((label) => !labels[label]);
  return missing === undefined ? undefined : { path: pointerTo('metadata', 'labels', missing), rule: 'must be set' };
}

function immutableViolation({ immutable }: Admission, candidate: Candidate, previous: Resource): Violation | undefined {
  const changed = immutable.find(({ steps }) => !same(follow(candidate, steps), follow(previous, steps)));
  return changed && { path: changed.pointer, rule: 'cannot be changed after creation' };
}

/** Equality after storing: in JSON, an undefined property is absent. */
function same(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b;
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}

function ruleViolation(
  { rules, view }: Admission,
  candidate: Candidate,
  previous: Resource | undefined,
): Violation | undefined {
  if (rules.length === 0) return undefined;
  const self = view(candidate);
  const oldSelf = previous && view(previous);
  for (const rule of rules) {
    const violation = rule.transition && oldSelf === undefined ? undefined : verdict(rule, self, oldSelf);
    if (violation) return violation;
  }
  return undefined;
}

/** A rule that cannot be evaluated refuses the object, as in Kubernetes. This is a bug of the rule. */
function verdict(rule: CompiledRule, self: unknown, oldSelf: unknown): Violation | undefined {
  try {
    return rule.holds(self, oldSelf) ? undefined : { path: '/', rule: rule.message };
  } catch (cause) {
    return {
      path: '/',
      rule: `the rule "${rule.message}" cannot be evaluated: it must check optional fields with has() before it reads them`,
      cause,
    };
  }
}

/**
 * Refuses objects that are too large for any engine. It takes the serialized object, because serializing twice would be
 * expensive.
 *
 * @example assertFits(Network, network, JSON.stringify(network));
 */
export function assertFits(kind: Kind, object: Pick<Candidate, 'metadata'>, serialized: string): void {
  const surelyFits = serialized.length * utf8BytesPerUnit <= limits.objectBytes;
  if (surelyFits || Buffer.byteLength(serialized) <= limits.objectBytes) return;
  throw refusal(kind, object, { path: '/', rule: `must take at most ${limits.objectBytes} bytes`, tooLarge: true });
}

/** Maximum number of bytes of a UTF-16 unit. */
const utf8BytesPerUnit = 3;

function refusal(
  kind: Kind,
  { metadata }: Pick<Candidate, 'metadata'>,
  { path, rule, tooLarge, cause }: Violation,
): Problem {
  const subject = path === '/metadata/name' ? kind.kind : `${kind.kind} ${metadata.name}`;
  return new Problem(tooLarge ? 'request_entity_too_large' : 'invalid_object', `${subject}: ${path}: ${rule}`, {
    cause,
  });
}
