import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { SECRET_PARAMS } from '../../../core/pagination/link-header.js';
import { ValueAsSent } from '../../../core/params/params.decorator.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';

/** The body of a test alert. */
export class TestAlertDto {
  /**
   * Payload of the tool, as JSON or as a string of JSON. A request body without this parameter, or
   * with others, is itself the payload. Any JSON value that is not an object is wrapped as
   * `{"payload": value}`.
   * @example {"title": "Disk full"}
   */
  @ValueAsSent({ kind: 'json' })
  payload?: unknown;
}

/**
 * Returns the payload of a test alert's request: `send(@TestPayload() payload: Buffer)`. Leaves
 * credentials among the parameters out, as payloads are stored and shown.
 */
export const TestPayload = createParamDecorator((_: unknown, context: ExecutionContext): Buffer =>
  testPayload(context.switchToHttp().getRequest<Request>().body),
);

/** Bytes of the payload in a parsed body; none for a request without one, which no alert is. */
export function testPayload(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (!isObject(body)) return bytesOf({ payload: body });
  const members = Object.entries(body).filter(([name]) => !SECRET_PARAMS.has(name));
  const [[name, value] = [], ...others] = members;
  const isWrapped = name === 'payload' && others.length === 0;
  if (isWrapped && typeof value === 'string') return payloadOfText(value);
  return bytesOf(isWrapped && isObject(value) ? value : Object.fromEntries(members));
}

/** Wraps typed JSON in the same way; invalid JSON is kept unchanged for the parser to reject. */
export function payloadOfText(text: string): Buffer {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? Buffer.from(text) : bytesOf({ payload: value });
  } catch {
    return Buffer.from(text);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bytesOf(payload: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(payload));
}
