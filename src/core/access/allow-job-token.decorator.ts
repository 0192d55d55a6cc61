import { SetMetadata } from '@nestjs/common';

export const JOB_TOKEN_KEY = 'guildhall:job-token';

/**
 * Accepts job tokens on the endpoint, independent of the scopes it requires of others. Everywhere
 * else job tokens are ignored (API doc, Authentication).
 */
export const AllowJobToken = (): MethodDecorator => SetMetadata(JOB_TOKEN_KEY, true);
