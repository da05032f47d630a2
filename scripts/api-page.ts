import type { ApiDocument } from './api-documents.ts';

/** The part of OpenAPI that our documents use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described extends Operation {
  readonly method: string;
  readonly path: string;
}

/** The reference page of a service: its operations and schemas. */
export function apiPage({ service, text }: ApiDocument, notice: string): string {
  const { paths, components } = JSON.parse(text) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: `/${service}${path}`,
    })),
  );
  const tags = [...new Set(operations.flatMap(({ tags: [tag = 'Other'] }) => tag))];
  return [
    `# API of ${service}`,
    '',
    `<!-- ${notice} -->`,
    '',
    `Send \`Authorization: Bearer <token>\`. Bodies are JSON. Errors are [described here](../errors.md); the machine-readable form is [${service}.json](../openapi/${service}.json), served at \`/${service}/openapi.json\`.`,
    'Operations marked *stream* also answer with a stream of changes if the request has `Accept: text/event-stream`. For operations marked *repeatable*, a request with the `Idempotency-Key` of an earlier one gets the response of that request.',
    '',
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      '',
      ...operations.filter(({ tags: [own = 'Other'] }) => own === tag).flatMap(operationSection),
    ]),
    ...streamSection,
    '## Types',
    '',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => typeSection(name, schema)),
  ].join('\n');
}

/** The events of every stream. They are not in the OpenAPI document, which cannot describe server-sent events. */
const streamSection = [
  '## Streams',
  '',
  'A stream is a response of the type `text/event-stream` (server-sent events). Each event has a name and JSON data.',
  '',
  '| Event | Data | Meaning |',
  '|---|---|---|',
  '| `added` | the resource, as in a list | It exists, or the caller can see it now. A stream begins with all resources, unless it resumes |',
  '| `modified` | the resource | It has changed |',
  '| `deleted` | `metadata.id` | It does not exist any more, or the caller can no longer see it |',
  '| `synced` | empty | All resources that existed at the start were sent. Changes follow |',
  '| `bookmark` | empty | Nothing happened. It is sent every 15 seconds, so a client that hears nothing for 45 seconds should connect again |',
  '| `reset` | empty | Too many changes were missed. The client forgets its resources; all of them follow, and then `synced` |',
  '',
  'Events have an `id`. A client that connects again sends the last one as `Last-Event-ID`, and gets only the changes since then. The server checks the permissions of the caller every two seconds, and ends the stream when the token expires. Histories and activities are streams of the same form, in which entries are only `added`.',
  '',
];

function operationSection(operation: Described): string[] {
  const { method, path, summary, parameters = [], requestBody, responses } = operation;
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const traits = [
    ...(successes.some(([, { content }]) => content?.['text/event-stream']) ? ['stream'] : []),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['repeatable'] : []),
  ];
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  return [
    `### ${summary}`,
    '',
    `\`${method} ${path}\`${traits.map((trait) => ` · *${trait}*`).join('')}`,
    '',
    ...(requestBody ? [`- Body: ${typeOf(requestBody.content['application/json']?.schema)}`] : []),
    ...queries.map(
      ({ name, schema, required, description }) =>
        `- Query \`${name}\`: ${[typeOf(schema), required ? 'required' : '', description ?? schema.description ?? ''].filter(Boolean).join(', ')}`,
    ),
    ...successes.map(
      ([status, { content }]) =>
        `- Response ${status}: ${content?.['application/json'] ? typeOf(content['application/json'].schema) : 'no body'}`,
    ),
    '',
  ];
}

function typeSection(name: string, schema: Schema): string[] {
  const properties = propertiesOf(schema);
  const rows = properties.map(
    ([field, property, required]) =>
      `| \`${field}\` | ${typeOf(property)} | ${required ? 'yes' : ''} | ${cell(property.description)} |`,
  );
  return [
    `### ${name}`,
    '',
    ...(rows.length > 0
      ? ['| Field | Type | Required | |', '|---|---|---|---|', ...rows]
      : [[typeOf(schema), schema.description].filter(Boolean).join(': ')]),
    '',
  ];
}

function propertiesOf({
  properties = {},
  required = [],
  allOf = [],
}: Schema): readonly (readonly [string, Schema, boolean])[] {
  return [
    ...allOf.flatMap(propertiesOf),
    ...Object.entries(properties).map(([field, property]) => [field, property, required.includes(field)] as const),
  ];
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'anything';
  if (schema.$ref !== undefined) return referenceTo(schema.$ref);
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  return [schema.type ?? 'anything', boundsOf(schema)].filter(Boolean).join(' ');
}

function referenceTo($ref: string): string {
  const name = $ref.split('/').at(-1) ?? '';
  return `[${name}](#${name.toLowerCase()})`;
}

function boundsOf({ format, minimum, maximum, maxLength }: Schema): string {
  const bounds = [
    format,
    minimum === undefined ? undefined : `≥ ${minimum}`,
    maximum === undefined ? undefined : `≤ ${maximum}`,
    maxLength === undefined ? undefined : `≤ ${maxLength} characters`,
  ].filter((bound) => bound !== undefined);
  return bounds.length > 0 ? `(${bounds.join(', ')})` : '';
}

const cell = (text = '') => text.replaceAll('|', '\\|');
