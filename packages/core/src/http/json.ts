import type { FastifyReply } from 'fastify';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property of a value that may not be an object. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The content type of the contract: Fastify's own serialiser would add a character set, which JSON does not have. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('content-type', 'application/json').serializer(JSON.stringify).send(body);
}
