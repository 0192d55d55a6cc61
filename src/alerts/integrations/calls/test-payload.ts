import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { SECRET_PARAMS } from '../../../core/pagination/link-header.js';
import { ValueAsSent } from '../../../core/params/params.decorator.js';
import type { JsonObject } from '../../parsing/incoming-alert.js';

/** The body of a test alert. */
export class TestAlertDto {
  /**
   * What the tool would send, as a JSON object or as text of one. A body without it, or with
   * further members, is itself what the tool would send.
   * @example {"title": "Disk full"}
   */
  @ValueAsSent({ kind: 'json' })
  payload?: JsonObject | string | null;
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
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return bytesOf(body);
  const members = Object.entries(body).filter(([name]) => !SECRET_PARAMS.has(name));
  const [[name, value] = [], ...others] = members;
  const isWrapped = name === 'payload' && others.length === 0;
  return bytesOf(isWrapped && isPayload(value) ? value : Object.fromEntries(members));
}

function isPayload(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function bytesOf(payload: unknown): Buffer {
  return Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
}
