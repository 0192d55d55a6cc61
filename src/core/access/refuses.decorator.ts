import { SetMetadata } from '@nestjs/common';

export const REFUSES_KEY = 'guildhall:refuses';

/**
 * Statuses with which the endpoint may refuse beyond those that follow from its declaration
 * (400, 401, 403, 404, 412, 429): for the API description only.
 */
export const Refuses = (...statuses: number[]): MethodDecorator & ClassDecorator =>
  SetMetadata(REFUSES_KEY, statuses);

export const REFUSES_BARE_KEY = 'guildhall:refuses bare';

/** Statuses besides success without a body, 304 among them: for the API description only. */
export const RefusesWithoutBody = (...statuses: number[]): MethodDecorator =>
  SetMetadata(REFUSES_BARE_KEY, statuses);
