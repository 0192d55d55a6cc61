import {
  createParamDecorator,
  Injectable,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { PageShells } from './page-shells.service.js';
import type { PageShell } from './shell.js';

interface Exchange {
  request: Request;
  response: Response;
}

@Injectable()
class ShellPipe implements PipeTransform<Exchange, PageShell> {
  constructor(private readonly shells: PageShells) {}

  transform({ request, response }: Exchange): PageShell {
    return this.shells.of(request, response);
  }
}

/** The frame of the site for the page that answers this request. */
export const Shell = (): ParameterDecorator =>
  createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
    const http = context.switchToHttp();
    return { request: http.getRequest<Request>(), response: http.getResponse<Response>() };
  })(ShellPipe);
