import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidParamsError } from '../errors.js';
import { INVALID, toInteger } from './coerce.js';

/** Largest id that PostgreSQL's bigint and a JavaScript number both hold; anything above is unknown. */
const INTEGER_ID = /^-?\d+$/;

/**
 * Reads a path id that must be an integer; otherwise 400 `<name> is invalid`.
 * Ids too large for any row become -1, which no row has.
 */
export function parseIntegerId(raw: string, name: string): number {
  if (!INTEGER_ID.test(raw)) throw new InvalidParamsError([`${name} is invalid`]);
  const id = toInteger(raw);
  return id === INVALID ? -1 : (id as number);
}

/** An integer path parameter: `get(@IntegerId('move_id') id: number)`. */
export const IntegerId = createParamDecorator((name: string, context: ExecutionContext): number => {
  const { params } = context.switchToHttp().getRequest<Request>();
  return parseIntegerId(String(params[name] ?? ''), name);
});

/** Project or group in a path: its ID, or its full path (`%2F` for slashes). */
export type IdOrPath = { id: number } | { path: string };

/** Only digits is always an id, everything else a path (API doc, Endpoints). */
export function parseIdOrPath(raw: string): IdOrPath {
  if (!INTEGER_ID.test(raw)) return { path: raw };
  return { id: parseIntegerId(raw, 'id') };
}

/** A parameter of the request's path; a wildcard's segments are joined again: `grp/proj`. */
export function pathParam(request: Request, name: string): string {
  const value = request.params[name] as string | string[] | undefined;
  return Array.isArray(value) ? value.join('/') : (value ?? '');
}
