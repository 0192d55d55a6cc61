import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { publicBaseUrl } from '../../core/response-context.js';
import type { ResponseContext } from '../../core/response-context.js';
import { actorContext, type ActorContext } from '../spam/request-context.decorator.js';

/** Author of a snippet's change, its preconditions, and the context of the response. */
export interface SnippetRequestContext extends ActorContext {
  preconditions: Preconditions;
  presentation: ResponseContext;
}

/** A change of the snippet whose id the path names. */
export interface SnippetReference extends SnippetRequestContext {
  snippetId: number;
}

/** Returns the author and preconditions of a change. Throws 401 for anonymous requests. */
export const SnippetContext = createParamDecorator((_: unknown, context: ExecutionContext) =>
  snippetContext(context.switchToHttp().getRequest<Request>()),
);

/**
 * The snippet whose id the path parameter names: `@SnippetRef('id') change: SnippetReference`. Also
 * for reading notes, which requires signing in even in public projects.
 */
export const SnippetRef = createParamDecorator(
  (name: string, context: ExecutionContext): SnippetReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const snippetId = parseIntegerId(String(request.params[name]), name);
    return { ...snippetContext(request), snippetId };
  },
);

function snippetContext(request: Request): SnippetRequestContext {
  const actor = actorContext(request);
  const presentation = { viewer: actor.viewer, baseUrl: publicBaseUrl(request) };
  return { ...actor, preconditions: readPreconditions(request), presentation };
}
