import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import {
  ApiError,
  ForbiddenError,
  RouteNotFoundError,
  UnauthorizedError,
} from '../../core/errors.js';
import { sendBody } from '../../core/http/reply.js';
import {
  isNearWebhookPath,
  parseWebhookPath,
  type WebhookPath,
} from '../../core/http/webhook-path.js';
import { Semaphore } from '../../core/semaphore.js';
import { AlertIngest } from '../ingest/alert-ingest.service.js';
import { DeliveryLog } from '../ingest/delivery-log.service.js';
import type { AlertSource, TouchedAlert } from '../ingest/alert-source.js';
import { isSameKey } from '../integration-keys.js';
import {
  IntegrationLookup,
  type FoundWebhook,
  type WebhookTarget,
} from './integration-lookup.service.js';
import { ProjectDisclosure } from './project-disclosure.service.js';
import { announcedBytes, readAlertBody } from './webhook-body.js';
import { givenKey } from './webhook-key.js';
import { WebhookLimits } from './webhook-limits.service.js';

/** Bytes of bodies that may be in the process at once. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** Why a call was refused before its body was looked at, for the integration's deliveries. */
const REASONS: Record<number, string> = {
  400: 'The body is larger than 1 MiB or could not be read',
  401: 'The key is missing or wrong',
  403: 'The integration is not active, or its project is archived',
  404: 'The key is missing or wrong',
  408: 'The body did not arrive in time',
  413: 'The body is larger than 16 MiB',
  415: 'The content encoding is not supported',
  429: 'Too many calls within a minute',
  503: 'The server has too much to do at the moment',
};

/**
 * The webhook of integrations. Order of the checks: project, integration, key, limit, memory for
 * the body, then the body. Sessions and tokens of users mean nothing here.
 */
@Injectable()
export class WebhookHandler {
  private readonly bodies = new Semaphore({ capacity: MAX_WAITING_BYTES });

  constructor(
    private readonly lookup: IntegrationLookup,
    private readonly disclosure: ProjectDisclosure,
    private readonly limits: WebhookLimits,
    private readonly ingest: AlertIngest,
    private readonly deliveries: DeliveryLog,
  ) {}

  /**
   * Answers calls of webhooks, and 404 in their form to what is posted near them, where a tool could
   * not read a page. Passes everything else on. Express middleware.
   */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'POST') {
      next();
      return;
    }
    const path = parseWebhookPath(request.path);
    if (path === null) {
      if (isNearWebhookPath(request.path)) sendRefusal(response, new RouteNotFoundError());
      else next();
      return;
    }
    this.answer(path, request, response).then(
      (touched) => sendBody(response, 200, touched),
      (error: unknown) => next(error),
    );
  };

  private async answer(
    path: WebhookPath,
    request: Request,
    response: Response,
  ): Promise<TouchedAlert[]> {
    const found = await this.lookup.find(path);
    if (found === null) throw new RouteNotFoundError();
    const source = await this.allowed(path, found, request);
    try {
      await this.limits.count(found.projectId, request, response);
    } catch (error) {
      throw this.refuse(source, request, error);
    }
    return this.receive(source, request);
  }

  /**
   * The integration that the key opens. Throws 403 or 401, but 404 as for an unknown project to
   * whoever names neither an integration nor a key of a project that is not public.
   */
  private async allowed(
    path: WebhookPath,
    { projectId, target }: FoundWebhook,
    request: Request,
  ): Promise<AlertSource> {
    const given = givenKey(request.headers.authorization);
    if (target !== null && isOpenedBy(target, given)) return target.source;
    const isNamed = target !== null && path.identifier !== null;
    const isTold = isNamed || (await this.disclosure.isTold(projectId, given));
    const error = isTold ? refusalOf(target) : new RouteNotFoundError();
    throw target === null ? error : this.refuse(target.source, request, error);
  }

  /** Holds the memory until the alerts are stored: until then the body is in the process. */
  private async receive(source: AlertSource, request: Request): Promise<TouchedAlert[]> {
    let hasBody = false;
    try {
      return await this.bodies.run(async () => {
        const body = await readAlertBody(request);
        hasBody = true;
        return this.ingest.receive(source, body, 'webhook');
      }, announcedBytes(request));
    } catch (error) {
      // From here on the ingest records the outcome.
      throw hasBody ? error : this.refuse(source, request, error);
    }
  }

  /** Notes the refusal; the error is the one to be thrown. */
  private refuse({ integrationId }: AlertSource, request: Request, error: unknown): unknown {
    if (!(error instanceof ApiError)) return error;
    const { status } = error;
    const size = Math.min(Number(request.headers['content-length'] ?? 0) || 0, 2 ** 31 - 1);
    const reason = REASONS[status] ?? `Refused with status ${status}`;
    this.deliveries.refused({ integrationId, via: 'webhook', status, error: reason, size });
    return error;
  }
}

function sendRefusal(response: Response, { status, body }: ApiError): void {
  sendBody(response, status, body);
}

function isOpenedBy({ key, isOpen }: WebhookTarget, given: string | null): boolean {
  return isOpen && key !== null && given !== null && isSameKey(given, key);
}

function refusalOf(target: WebhookTarget | null): ApiError {
  return target?.isOpen ? new UnauthorizedError() : new ForbiddenError();
}
