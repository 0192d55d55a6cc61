import { SetMetadata } from '@nestjs/common';

export const ASKS_KEY = 'guildhall:asks';

/**
 * Names the ability that the endpoint checks itself, because its refusals differ from those of its
 * guard. Only the API description uses it, in place of the declared ability.
 */
export const Asks = (ability: string): MethodDecorator & ClassDecorator =>
  SetMetadata(ASKS_KEY, ability);
