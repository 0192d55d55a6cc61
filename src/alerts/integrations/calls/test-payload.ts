import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { SECRET_PARAMS } from '../../../core/pagination/link-header.js';
import { ValueAsSent } from '../../../core/params/params.decorator.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';

/** The body of a test alert. */
export class TestAlertDto {
  /**
   * What the tool would send, as JSON or as text of some. A body without it, or with further
   * members, is itself what the tool would send. Of JSON that is no object, an alert is made whose
   * payload has it as its only member, `payload`.
   * @example {"title": "Disk full"}
   */
  @ValueAsSent({ kind: 'json' })
  payload?: unknown;
}

/**
 * What a test alert's request would have its tool send: `send(@TestPayload() payload: Buffer)`.
 * Credentials among the parameters are left out: payloads are kept and shown.
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

/** The same for a payload that somebody wrote; what is no JSON stays as it is, to be refused. */
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
