import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** How a path names the container whose moves are asked for. */
export interface ContainerName {
  raw: string;
  /** For the answer to a path that the container no longer has. */
  request: Request;
}

/** The path parameter `id`, not looked up yet: `listOf(@NamedContainer() name: ContainerName)`. */
export const NamedContainer = createParamDecorator(
  (_: unknown, context: ExecutionContext): ContainerName => {
    const request = context.switchToHttp().getRequest<Request>();
    return { raw: String(request.params['id']), request };
  },
);
