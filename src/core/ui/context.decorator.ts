import {
  createParamDecorator,
  Injectable,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { PageContexts } from './page-contexts.service.js';
import type { PageContext } from './page-context.js';

interface Exchange {
  request: Request;
  response: Response;
}

@Injectable()
class PageContextPipe implements PipeTransform<Exchange, PageContext> {
  constructor(private readonly shells: PageContexts) {}

  transform({ request, response }: Exchange): PageContext {
    return this.shells.of(request, response);
  }
}

/** The frame of the site for the page that answers this request. */
export const Context = (): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
    const http = context.switchToHttp();
    return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
  })(PageContextPipe);
