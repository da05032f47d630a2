import type { FastifyInstance } from 'fastify';

import type { Credentials } from './credentials.ts';

/** Creates the demo data through the API, as a user would. Repeating it, also after half of it, changes nothing. */
export async function seedDemo(server: FastifyInstance, { token, organizationId }: Credentials): Promise<void> {
  const post = (path: string, payload: object, key: string) =>
    server.inject({ method: 'POST', url: `/parking/api/v1${path}`, headers: { authorization: `Bearer ${token}`, 'idempotency-key': key }, payload });
  const answer = await post('/lots', { metadata: { name: 'north', description: 'behind the station' }, spec: { organizationId, spaces: 3 } }, 'demo-lot');
  const lot: { metadata?: { id?: string } } = answer.json();
  const lotId = lot.metadata?.id;
  for (const plate of ['UNI-1', 'UNI-2']) await post('/permits', { metadata: { name: plate.toLowerCase() }, spec: { lotId, plate } }, `demo-${plate}`);
}
