import {
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
import { Semaphore } from '../../core/concurrency.js';
import {
  ApiError,
  BadRequestError,
  ForbiddenError,
  RouteNotFoundError,
  UnauthorizedError,
} from '../../core/errors.js';
import { bodyTooLarge, bodyTooSlow, readBodyBytes } from '../../core/http/body.middleware.js';
import { atRoot } from '../../core/http/paths.js';
import {
  parseWebhookPath,
  RawBody,
  readStream,
  type WebhookPath,
} from '../../core/http/raw-bodies.js';
import { sendBody } from '../../core/http/send-response.js';
import { NAMED_LIMITS } from '../../core/rate-limits/named-limits.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import { basicCredentials } from '../../core/secrets.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { AlertIngest } from '../ingest/alert-ingest.service.js';
import type { AlertSource, TouchedAlert } from '../ingest/alert-source.js';
import { DeliveryLog } from '../ingest/delivery-log.service.js';
import { MAX_ALERT_BYTES } from '../parsing/payload.js';
import { IntegrationLookup, isOpenedBy, type FoundWebhook } from './integration-lookup.service.js';

/** Limit of body bytes in the process. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Above this the response is 413, since no monitoring tool sends as much. */
const MAX_ANNOUNCED_BYTES = 16 * 1024 * 1024;

/** Reasons for refusals before the body is parsed, for the integration's deliveries. */
const REASONS: Record<number, string> = {
  400: 'The body is larger than 1 MiB or could not be read',
  401: 'The key is missing or wrong',
  403: 'The integration is not active, or its project is archived',
  404: 'The key is missing or wrong',
  408: 'The body did not arrive in time',
  413: 'The body is larger than 16 MiB',
  415: 'The content encoding is not supported',
  429: 'Rate limit exceeded',
  503: 'The server is overloaded',
};

/** A call of a webhook whose key was right. */
interface WebhookCall {
  source: AlertSource;
  request: Request;
  response: Response;
}

/** Bounds how often webhooks are called (API doc, Limits) and how much memory their bodies take. */
@Injectable()
export class WebhookAdmission {
  private readonly bodies = new Semaphore({ capacity: MAX_WAITING_BYTES });

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
    private readonly deliveries: DeliveryLog,
  ) {}

  /**
   * Runs the task with the call's body, and holds memory for it until the task ends. Throws 429
   * above the project's limit, 503 when too much waits, 400, 408, 413 and 415 for the body; each is
   * noted, unlike errors of the task.
   */
  async run<T>(call: WebhookCall, task: (body: Buffer) => Promise<T>): Promise<T> {
    const { source, request } = call;
    let isAdmitted = false;
    try {
      if (this.limiter.enabled) await this.count(call);
      return await this.bodies.run(async () => {
        const body = await readAlertBody(request);
        isAdmitted = true;
        return task(body);
      }, announcedBytes(request));
    } catch (error) {
      if (!isAdmitted) this.noteRefusal(source, request, error);
      throw error;
    }
  }

  /** Notes a refused call as a delivery of the integration, unless the error is one of ours. */
  noteRefusal({ integrationId }: AlertSource, request: Request, error: unknown): void {
    if (!(error instanceof ApiError)) return;
    const { status } = error;
    const size = Math.min(Number(request.headers['content-length'] ?? 0) || 0, 2 ** 31 - 1);
    const reason = REASONS[status] ?? `Refused with status ${status}`;
    this.deliveries.refused({ integrationId, via: 'webhook', status, error: reason, size });
  }

  private async count({ source, response }: WebhookCall): Promise<void> {
    const containerId = String(source.projectId);
    const measure = NAMED_LIMITS.webhooks(this.settings.values, { containerId });
    if (measure !== null) await this.limiter.enforce(measure.limit, measure.who, response);
  }
}

/**
 * Returns the memory to reserve for the body: the announced length, or the maximum when there is
 * none. Throws 400 above 1 MiB, 413 above 16 MiB, before anything is read.
 */
function announcedBytes({ headers }: Request): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (length > MAX_ANNOUNCED_BYTES) throw bodyTooLarge();
  if (length > MAX_ALERT_BYTES) throw tooLarge();
  const isPlain = headers['content-encoding'] === undefined;
  return isPlain && length >= 0 ? length : MAX_ALERT_BYTES;
}

const tooLarge = (): ApiError => new ApiError(400, { message: '400 Bad request' });

const BODY_RULES = {
  limit: MAX_ALERT_BYTES,
  tooLarge,
  incomplete: () => new BadRequestError('body is incomplete'),
  tooSlow: bodyTooSlow,
};

/** Returns the whole body, decompressed. Throws 400 above 1 MiB, 408, and 415 as `readBodyBytes`. */
async function readAlertBody(request: Request): Promise<Buffer> {
  if (request.headers['content-encoding'] !== undefined) return readPackedBody(request);
  const chunks: Buffer[] = [];
  await readStream(request, BODY_RULES, (chunk) => chunks.push(chunk));
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

async function readPackedBody(request: Request): Promise<Buffer> {
  try {
    return await readBodyBytes(request, MAX_ALERT_BYTES);
  } catch (error) {
    throw error instanceof ApiError && error.status === 413 ? tooLarge() : error;
  }
}

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
  @RawBody()
  @GuardedBy('post_alerts', AlertWebhookGuard)
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
