import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../core/access/auth-context.js';
import { UnauthorizedError } from '../core/errors.js';
import { spamSender, type SpamSender } from './submission.js';

/** A request whose text the spam check looks at. */
export interface TextSending {
  sender: SpamSender;
}

/** The signed-in sender of a text, else 401: `create(@Sending() { sender }: TextSending)`. */
export const Sending = createParamDecorator(
  (_: unknown, context: ExecutionContext): TextSending => {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    if (viewer === null) throw new UnauthorizedError();
    return { sender: spamSender(request, viewer) };
  },
);
