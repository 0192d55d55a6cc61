import { SetMetadata } from '@nestjs/common';
import type { NamedLimit } from './named-limits.js';

export const RATE_LIMIT_KEY = 'guildhall:rate-limit';

/**
 * The endpoint's own limit beside that of all requests: `@RateLimit('create')`. `named-limits.ts`
 * defines it. Lists with a `search` parameter need no declaration.
 */
export const RateLimit = (name: NamedLimit): MethodDecorator & ClassDecorator =>
  SetMetadata(RATE_LIMIT_KEY, name);
