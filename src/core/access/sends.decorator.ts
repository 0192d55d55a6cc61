import { SetMetadata } from '@nestjs/common';

export const SENDS_KEY = 'guildhall:sends';

/** Media types of an endpoint that writes its answer itself: for the API description only. */
export const Sends = (...mediaTypes: string[]): MethodDecorator =>
  SetMetadata(SENDS_KEY, mediaTypes);
