import { SetMetadata } from '@nestjs/common';

export const SENDS_KEY = 'guildhall:sends';

/** Media type of an endpoint that writes its answer itself: for the API description only. */
export const Sends = (mediaType: string): MethodDecorator => SetMetadata(SENDS_KEY, mediaType);
