import type { Request } from 'express';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PreconditionFailedError } from './errors.js';

/** Conditions that the client tied its change to. */
export class Preconditions {
  constructor(private readonly unmodifiedSince: Date | null) {}

  /** True if there are preconditions, where reading the resource's time is expensive. */
  get areGiven(): boolean {
    return this.unmodifiedSince !== null;
  }

  /**
   * Throws 412 when the resource changed after the client's If-Unmodified-Since (RFC 9110
   * §13.1.4). HTTP dates have whole seconds, so the resource's time is cut to them.
   */
  check(updatedAt: Date): void {
    if (this.unmodifiedSince === null) return;
    const seconds = Math.floor(updatedAt.getTime() / 1000);
    if (seconds > this.unmodifiedSince.getTime() / 1000) throw new PreconditionFailedError();
  }
}

/** For changes by forms, which have no preconditions. */
export const NO_PRECONDITIONS = new Preconditions(null);

/** Reads If-Unmodified-Since; a date that cannot be parsed is ignored (RFC 9110 §13.1.4). */
export function readPreconditions(request: Request): Preconditions {
  const header = request.headers['if-unmodified-since'];
  const time = typeof header === 'string' ? Date.parse(header) : Number.NaN;
  return new Preconditions(Number.isNaN(time) ? null : new Date(time));
}

/** The request's preconditions: `delete(@IfUnmodified() preconditions: Preconditions)`. */
export const IfUnmodified = createParamDecorator(
  (_: unknown, context: ExecutionContext): Preconditions =>
    readPreconditions(context.switchToHttp().getRequest<Request>()),
);
