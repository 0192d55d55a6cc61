import { SetMetadata } from '@nestjs/common';

export const JOB_TOKEN_KEY = 'guildhall:job-token';

/**
 * Opens the endpoint to job tokens, whatever scopes it wants of others. Everywhere else job tokens
 * are not even looked at (API doc, Authentication).
 */
export const AllowJobToken = (): MethodDecorator => SetMetadata(JOB_TOKEN_KEY, true);
