import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

/**
 * A value that a guard finds and the handler receives: the guard keeps it, and the decorator of the
 * handler's parameter is `Current`. The response carries it.
 */
export function guardValue<T extends object>(
  guard: string,
): { keep(response: Response, value: T): void; Current: () => ParameterDecorator } {
  const key = `guard: ${guard}`;
  const read = (_: unknown, context: ExecutionContext): T => {
    const value = context.switchToHttp().getResponse<Response>().locals[key] as T | undefined;
    if (value === undefined) throw new Error(`The route needs the guard ${guard}`);
    return value;
  };
  return {
    keep: (response, value) => {
      response.locals[key] = value;
    },
    Current: createParamDecorator(read),
  };
}
