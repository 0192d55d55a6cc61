import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiError, BadRequestError } from '../../core/errors.js';
import { bodyTooLarge, bodyTooSlow, readBodyBytes } from '../../core/http/body.middleware.js';
import { readStream } from '../../core/ingest/body-stream.js';
import { clientAddress } from '../../core/http/request-address.js';
import { NAMED_LIMITS } from '../../core/rate-limits/named-limits.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import { Semaphore } from '../../core/semaphore.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { AlertSource } from '../ingest/alert-source.js';
import { DeliveryLog } from '../ingest/delivery-log.service.js';
import { MAX_ALERT_BYTES } from '../parsing/payload.js';

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

  private async count({ source, request, response }: WebhookCall): Promise<void> {
    const sender = {
      user: null,
      address: clientAddress(request.ip),
      containerId: String(source.projectId),
    };
    const measure = NAMED_LIMITS.webhooks(this.settings.values, sender);
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

function tooLarge(): ApiError {
  return new ApiError(400, { message: '400 Bad request' });
}
