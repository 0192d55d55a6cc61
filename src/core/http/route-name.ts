import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Returns the handler of a route so that `routeOf` knows the route of its requests. */
export function withRouteName(route: string, handler: RequestHandler): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    response.locals['route'] = route;
    return handler(request, response, next);
  };
}

/** Returns the route that handled the request, as `/api/v4/projects/:id`; undefined if none has. */
export function routeOf({ locals }: Partial<Pick<Response, 'locals'>>): string | undefined {
  return locals?.['route'] as string | undefined;
}
