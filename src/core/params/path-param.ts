import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** A parameter of the request's path; a wildcard's segments are joined again: `grp/proj`. */
export function pathParam(request: Request, name: string): string {
  const value = request.params[name] as string | string[] | undefined;
  return Array.isArray(value) ? value.join('/') : (value ?? '');
}

/** Full path of the group or project that a page's address names: `@NamespacePath('project_path')`. */
export const NamespacePath = createParamDecorator(
  (name: string, context: ExecutionContext): string =>
    pathParam(context.switchToHttp().getRequest<Request>(), name),
);
