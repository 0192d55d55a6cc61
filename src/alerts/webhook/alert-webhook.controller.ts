import {
  applyDecorators,
  Catch,
  Controller,
  HttpCode,
  Injectable,
  Post,
  Req,
  Res,
  UseFilters,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { GuardedBy } from '../../core/access/access.decorator.js';
import { guardValue } from '../../core/access/auth-context.js';
import { basicCredentials } from '../../core/digest.js';
import { ForbiddenError, RouteNotFoundError, UnauthorizedError } from '../../core/errors.js';
import { RawBody } from '../../core/http/raw-body-routes.js';
import { parseWebhookPath, type WebhookPath } from '../../core/http/request-url.js';
import { atRoot } from '../../core/http/root-path.js';
import { sendBody } from '../../core/http/send-response.js';
import { AlertIngest } from '../ingest/alert-ingest.service.js';
import type { AlertSource, TouchedAlert } from '../ingest/alert-source.js';
import {
  IntegrationLookup,
  isSameKey,
  type FoundWebhook,
  type WebhookTarget,
} from './integration-lookup.service.js';
import { WebhookAdmission } from './webhook-admission.service.js';

/** The integration that the guard let pass. */
const sources = guardValue<AlertSource>('AlertWebhookGuard');

/**
 * Lets calls pass that have the key of the integration at their path. Order of the checks: project,
 * integration, key. Sessions and tokens of users are ignored.
 */
@Injectable()
class AlertWebhookGuard implements CanActivate {
  constructor(
    private readonly lookup: IntegrationLookup,
    private readonly admission: WebhookAdmission,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const path = parseWebhookPath(request.path);
    if (path === null) throw new RouteNotFoundError();
    const cached = this.lookup.findCached(path)?.target ?? null;
    // Most calls: without a promise.
    if (cached === null || !isOpenedBy(cached, keyOf(request)))
      return this.decide(path, request, response);
    sources.keep(response, cached.source);
    return true;
  }

  private async decide(path: WebhookPath, request: Request, response: Response): Promise<true> {
    const found = await this.lookup.find(path);
    if (found === null) throw new RouteNotFoundError();
    sources.keep(response, await this.opened(path, found, request));
    return true;
  }

  /**
   * Returns the integration that the key opens. Throws 403 or 401, but 404 as for an unknown project
   * to callers that name neither an integration nor a key of a project that is not public.
   */
  private async opened(
    path: WebhookPath,
    { projectId, target }: FoundWebhook,
    request: Request,
  ): Promise<AlertSource> {
    const given = keyOf(request);
    if (target !== null && isOpenedBy(target, given)) return target.source;
    const isNamed = target !== null && path.identifier !== null;
    const isRevealed = isNamed || (await this.lookup.mayRevealProject(projectId, given));
    const refusal = target?.isOpen ? new UnauthorizedError() : new ForbiddenError();
    const error = isRevealed ? refusal : new RouteNotFoundError();
    if (target !== null) this.admission.noteRefusal(target.source, request, error);
    throw error;
  }
}

/** Returns the key of a request: a Bearer token, or the password of Basic. */
function keyOf({ headers: { authorization } }: Request): string | null {
  if (authorization === undefined) return null;
  const [, bearer] = /^bearer +([^\s]+) *$/i.exec(authorization) ?? [];
  return bearer ?? basicCredentials(authorization)?.password ?? null;
}

function isOpenedBy({ key, isOpen }: WebhookTarget, given: string | null): boolean {
  return isOpen && key !== null && given !== null && isSameKey(given, key);
}

/** A call of an alert webhook, for callers with the key of the integration at its address. */
const AlertWebhook = (): MethodDecorator =>
  applyDecorators(RawBody(), GuardedBy('post_alerts', AlertWebhookGuard));

/** Writes 404 as JSON at every address that looks like one of a webhook: a tool cannot read pages. */
@Catch(RouteNotFoundError)
class NotFoundAsJson implements ExceptionFilter {
  catch({ status, body }: RouteNotFoundError, host: ArgumentsHost): void {
    sendBody(host.switchToHttp().getResponse<Response>(), status, body);
  }
}

/** The URLs that monitoring tools post to, and misspelled ones near them. */
@Controller(atRoot(':group/*project/alerts'))
@UseFilters(NotFoundAsJson)
export class AlertWebhookController {
  constructor(
    private readonly admission: WebhookAdmission,
    private readonly ingest: AlertIngest,
  ) {}

  /** Stores the alerts of a call and returns those it touched. */
  @Post(['notify', 'notify.:format', 'notify/*rest'])
  @HttpCode(200)
  @AlertWebhook()
  notify(
    @sources.Current() source: AlertSource,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TouchedAlert[]> {
    return this.admission.run({ source, request, response }, (body) =>
      this.ingest.receive(source, body, 'webhook'),
    );
  }
}
