import { SetMetadata } from '@nestjs/common';

export const ASKS_KEY = 'guildhall:asks';

/**
 * The ability that the endpoint asks for itself, because it refuses in its own way whom its guard
 * has let through: for the API description only, which names it instead of the declared one.
 */
export const Asks = (ability: string): MethodDecorator & ClassDecorator =>
  SetMetadata(ASKS_KEY, ability);
