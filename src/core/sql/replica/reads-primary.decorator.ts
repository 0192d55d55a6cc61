import { SetMetadata } from '@nestjs/common';

export const READS_PRIMARY_KEY = 'guildhall:reads-primary';

/**
 * Keeps what a handler of GET reads on the primary: tokens, sessions, consents and emailed links,
 * whose revocation or use must be seen at once.
 */
export const ReadsPrimary = (): MethodDecorator & ClassDecorator =>
  SetMetadata(READS_PRIMARY_KEY, true);

export const NEVER_WRITES_KEY = 'guildhall:never-writes';

/** Marks a handler that only reads although its method is not GET, such as the POST of `git fetch`. */
export const NeverWrites = (): MethodDecorator => SetMetadata(NEVER_WRITES_KEY, true);
