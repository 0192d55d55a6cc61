import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { INVALID, toInteger } from '../../core/params/coerce.js';
import { declare } from '../../core/params/params.decorator.js';
import { pathParam } from '../../core/params/path-param.js';

/** No row has it. */
const NO_KEY = -1;

/**
 * The id of a key as it was sent; what is no number is an id that no key has. Returns null for the
 * empty text, as every integer parameter.
 */
function toKeyId(value: unknown): unknown {
  const id = toInteger(value);
  return id === INVALID ? NO_KEY : id;
}

/** The key that the path names: `delete(@KeyId() id: number)`. What is no number names none. */
export const KeyId = createParamDecorator((_: unknown, context: ExecutionContext): unknown =>
  toKeyId(pathParam(context.switchToHttp().getRequest<Request>(), 'key_id')),
);

/** DELETE of a client key that the path does not name. */
export class DeleteClientKeyDto {
  /** ID of the key. */
  @declare({ kind: 'integer', required: true }, toKeyId, () => null)
  key_id: number;
}
