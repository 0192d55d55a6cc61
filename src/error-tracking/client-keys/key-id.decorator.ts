import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { pathParam } from '../../core/params/path-param.js';
import { toKeyId } from './key-id.js';

/** The key that the path names: `delete(@KeyId() id: number)`. What is no number names none. */
export const KeyId = createParamDecorator((_: unknown, context: ExecutionContext): unknown =>
  toKeyId(pathParam(context.switchToHttp().getRequest<Request>(), 'key_id')),
);
