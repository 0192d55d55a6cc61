import { SetMetadata } from '@nestjs/common';

export const ANSWERS_KEY = 'guildhall:answers';

/**
 * All statuses with the endpoint's own body, where it decides between several itself: for the API
 * description only.
 */
export const Answers = (...statuses: number[]): MethodDecorator =>
  SetMetadata(ANSWERS_KEY, statuses);
