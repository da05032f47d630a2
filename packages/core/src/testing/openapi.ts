import { child, names } from './json.ts';

/** The contract's name for the authentication schemes. */
const securitySchemes = 'oauth2Authentication or token';

/** The violations of the house rules for operations in a document; empty if there are none. */
export function lintOpenApi(document: unknown): readonly string[] {
  const paths = child(document, 'paths');
  return names(paths)
    .flatMap((path) =>
      names(child(paths, path)).flatMap((method) => lintOperation(path, method, child(paths, path, method))),
    )
    .concat(danglingReferences(document));
}

function lintOperation(path: string, method: string, operation: unknown): readonly string[] {
  const place = `${method.toUpperCase()} ${path}`;
  const has = (status: string) => child(operation, 'responses', status) !== undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [typeof child(operation, 'summary') === 'string', 'needs a summary'],
    [Array.isArray(child(operation, 'tags')), 'needs a tag'],
    [typeof child(operation, 'operationId') === 'string', 'needs an operationId'],
    ...securityRules(operation, has),
    [!namesResource(path) || has('404'), 'has a path variable, so it needs 404'],
    [
      !['post', 'put'].includes(method) ||
        child(operation, 'requestBody') !== undefined ||
        child(operation, 'x-no-body') === true,
      'needs a body schema or x-no-body',
    ],
    [
      method !== 'get' ||
        !has('200') ||
        child(operation, 'responses', '200', 'content', 'application/json', 'schema') !== undefined,
      'needs a schema for 200',
    ],
    [has('500'), 'needs 500'],
  ];
  return rules.filter(([kept]) => !kept).map(([, rule]) => `${place}: ${rule}`);
}

function securityRules(operation: unknown, has: (status: string) => boolean): readonly (readonly [boolean, string])[] {
  const requirements = child(operation, 'security');
  if (child(operation, 'x-no-security-requirements') === true)
    return [[requirements === undefined, 'is anonymous, so it must have no security requirement']];
  const secured =
    Array.isArray(requirements) &&
    requirements.map((requirement) => names(requirement).join()).join(' or ') === securitySchemes;
  return [
    [secured, `needs the security requirement ${securitySchemes}`],
    [has('401'), 'needs 401'],
    [has('403') || child(operation, 'x-no-authorization') === true, 'needs 403'],
  ];
}

function namesResource(path: string): boolean {
  return [...path.matchAll(/\{([^}]+)\}/g)].some(([, name]) => name !== 'organizationID' && name !== 'projectID');
}

function danglingReferences(document: unknown): readonly string[] {
  const known = new Set(names(child(document, 'components', 'schemas')));
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(
    ([, reference]) => reference ?? '',
  );
  return [...new Set(references)]
    .filter((reference) => !known.has(reference.replace('#/components/schemas/', '')))
    .map((reference) => `reference ${reference} does not exist`);
}
