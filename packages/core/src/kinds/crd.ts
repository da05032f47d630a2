import { labels } from '../resource/keys.ts';
import { fieldPath, transitionRule } from './immutable.ts';
import type { Kind } from './kind.ts';
import { structural, type StructuralSchema } from './structural.ts';

interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'date';
  readonly jsonPath: string;
}

interface ValidationRule {
  readonly rule: string;
  readonly message: string;
}

/** The document that registers a kind with a Kubernetes API server. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced';
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
    };
    readonly versions: readonly {
      readonly name: string;
      readonly served: true;
      readonly storage: true;
      readonly schema: { readonly openAPIV3Schema: StructuralSchema };
      readonly subresources: { readonly status: Readonly<Record<string, never>> };
      readonly additionalPrinterColumns: readonly PrinterColumn[];
    }[];
  };
}

/**
 * Derives the definition of a kind. The same declaration always gives the same document, with the same order of keys.
 *
 * @example stringify(customResourceDefinition(Network)) // YAML for `kubectl apply`
 */
export function customResourceDefinition(kind: Kind): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: kind.id },
    spec: {
      group: kind.group,
      scope: 'Namespaced',
      names: { kind: kind.kind, listKind: `${kind.kind}List`, plural: kind.plural, singular: kind.kind.toLowerCase() },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: objectSchema(kind) },
          subresources: { status: {} },
          additionalPrinterColumns: printerColumns(kind),
        },
      ],
    },
  };
}

/** The definitions of several kinds. Throws if a kind occurs twice. */
export function definitions(kinds: readonly Kind[]): readonly CustomResourceDefinition[] {
  const twice = kinds.find((kind, index) => kinds.findIndex((other) => other.id === kind.id) < index);
  if (twice) throw new Error(`${twice.id} is declared more than once`);
  return kinds.map(customResourceDefinition);
}

function objectSchema(kind: Kind): StructuralSchema {
  const rules = validationRules(kind);
  return {
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: structural(kind.spec, '/spec'),
      status: structural(kind.status, '/status'),
    },
    ...(rules.length > 0 ? { 'x-kubernetes-validations': rules } : {}),
  };
}

/**
 * All rules are at the root, because a rule on an optional field is not evaluated when the field is added or removed.
 * Kubernetes does not show labels or fields of unknown type to rules. If such fields are immutable, only admission
 * enforces it.
 */
function validationRules({ spec, immutable, admission }: Kind): readonly ValidationRule[] {
  const fixed = immutable.flatMap((pointer) => {
    const path = fieldPath(pointer, spec);
    return path.visible ? [{ rule: transitionRule(path), message: `${pointer} cannot be changed after creation` }] : [];
  });
  return [...fixed, ...admission.map(({ rule, message }) => ({ rule, message }))];
}

function printerColumns({ realisation }: Kind): readonly PrinterColumn[] {
  const status: PrinterColumn = {
    name: 'Status',
    type: 'string',
    jsonPath: '.status.conditions[?(@.type=="Available")].reason',
  };
  return [
    { name: 'Display name', type: 'string', jsonPath: `.metadata.labels['${labels.name.replaceAll('.', '\\.')}']` },
    ...(realisation === 'controlled' ? [status] : []),
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
}
