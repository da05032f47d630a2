import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { routesOf } from './testing/access-walk.ts';
import { accessConfiguration, accessTenants, startIdentity } from './testing/index.ts';

/** A caller with all permissions, and an existing object for every path variable. */
async function stage() {
  const running = await startIdentity({ configuration: accessConfiguration });
  onTestFinished(() => running.stop());
  const { store, world, identity, server } = running;
  const { callers, variable, body } = await accessTenants({ store, world, client: identity.client('unikorn-region') });
  const send = async (method: 'POST' | 'PUT', path: string, payload: unknown) => {
    const url = path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
      encodeURIComponent(variable(name, 'own project')),
    );
    const response = await server.inject({
      method,
      url: `/identity${url}`,
      headers: { ...callers['platform-administrator'], 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
    return { status: response.statusCode, text: response.body };
  };
  const writes = routesOf([identity.service]).flatMap(({ route: { method, path, body: schema, operationId } }) =>
    schema && (method === 'POST' || method === 'PUT') ? [{ method, path, operationId }] : [],
  );
  return { send, writes, body };
}

/** Every place in a body where another value can be inserted. */
function places(value: unknown, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) => places(child, [...path, key]))
      : [];
  return [path, ...inner];
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((child: unknown, index) => (String(index) === String(key) ? replaced(child, rest, by) : child));
  return { ...(value as object), [key]: replaced((value as Record<string, unknown>)[key], rest, by) };
}

describe('garbage', () => {
  it('that exceeds the limit of a field is reported with the field, and of a body as too large', async () => {
    const { send } = await stage();
    const cases = [
      [{ name: 'a', description: 'x'.repeat(300_000) }, 400, 'body.metadata.description'],
      [{ name: 'a', tags: [{ name: 'a', value: 'x'.repeat(1_000_000) }] }, 400, 'body.metadata.tags'],
      [{ name: 'a', description: 'x'.repeat(1_100_000) }, 413, 'request_entity_too_large'],
    ] as const;
    for (const [metadata, expected, part] of cases) {
      const { status, text } = await send('POST', '/api/v1/organizations/{organizationID}/projects', {
        metadata,
        spec: { groupIDs: [] },
      });
      expect([status, text]).toEqual([expected, expect.stringContaining(part)]);
    }
  });

  it('in any part of any body is refused or stored, and never causes a server error', async () => {
    const { send, writes, body } = await stage();
    const nasty = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '__proto__',
        '../../../etc/passwd',
        "'; drop table objects; --",
        '<script>alert(1)</script>',
        '\u0000',
        '🦄'.repeat(100),
        'x'.repeat(70_000),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...writes),
        fc.nat(),
        nasty,
        async ({ method, path, operationId }, place, value) => {
          const valid = body(operationId, 'own project');
          const candidates = places(valid);
          const { status, text } = await send(
            method,
            path,
            replaced(valid, candidates[place % candidates.length] ?? [], value),
          );
          expect([status, text]).toEqual([expect.toSatisfy((code: number) => code < 500), expect.any(String)]);
        },
      ),
      { numRuns: 400 },
    );
  });
});
