import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Clock } from '../../core/clock.js';
import { sendBody } from '../../core/http/reply.js';
import { requestAddress } from '../../core/http/request-address.js';
import { judgeUrl } from '../../core/http/request-url.js';
import { clientAddress } from '../../core/rate-limits/client-address.js';
import { Semaphore } from '../../core/semaphore.js';
import { ClientKeyCache, type SourceLookup } from '../client-keys/client-key-cache.service.js';
import type { ErrorSource } from '../ingest/error-source.js';
import { BodyMemory } from './body-memory.js';
import { allowReports, answerOptions } from './collector-cors.js';
import { CollectorLimits } from './collector-limits.service.js';
import { parseCollectorPath, type CollectorPath } from './collector-path.js';
import { IngestError, noCredentials, notFound, refusalOf } from './ingest-error.js';
import { readDelivery } from './delivery.js';
import { EventIntake, type Delivery, type DeliveryAnswer } from './event-intake.service.js';
import { givenKey, oneOf } from './sentry-auth.js';
import { drainBriefly } from './wire-body.js';

/** Bytes of bodies that may be in the process at once. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * The addresses that SDKs report to. Order of the checks: path, method, project, key, limit, then
 * the body. Sessions and tokens of users mean nothing here.
 */
@Injectable()
export class CollectorHandler {
  private readonly bodies = new Semaphore({ capacity: MAX_WAITING_BYTES });
  private readonly unpacking = {
    small: new Semaphore({ capacity: 2, queue: 1_000 }),
    large: new Semaphore({ capacity: 1, queue: 100 }),
  };

  constructor(
    private readonly sources: ClientKeyCache,
    private readonly limits: CollectorLimits,
    private readonly intake: EventIntake,
    private readonly clock: Clock,
  ) {}

  /** Answers what is sent to the collector, passes everything else on. Express middleware. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const path = parseCollectorPath(request.path);
    if (path === null) {
      next();
      return;
    }
    allowReports(response);
    if (request.method === 'OPTIONS') {
      answerOptions(response);
      return;
    }
    this.answer(path, request).then(
      (answer) => {
        drainBriefly(request, response);
        sendBody(response, 200, answer);
      },
      (error: unknown) => refuse(error, { request, response, next }),
    );
  };

  private async answer(path: CollectorPath, request: Request): Promise<DeliveryAnswer> {
    judgeUrl(request);
    if (path.endpoint === null) throw new IngestError(404, '404 Not Found');
    if (request.method !== 'POST') throw notAllowed();
    const key = givenKey(request);
    const found = await this.find(path.project, key, request);
    const memory = new BodyMemory(this.bodies, MAX_WAITING_BYTES);
    try {
      return found.kind === 'no key'
        ? await this.answerByDsn(path, request, memory)
        : await this.answerByKey({ path, key, source: opened(found) }, request, memory);
    } finally {
      memory.release();
    }
  }

  /** Keys that are not good count against the address: each costs a query. */
  private async find(project: string, key: string, { ip }: Request): Promise<SourceLookup> {
    const address = clientAddress(ip);
    if (!this.sources.knows(project, key)) this.limits.refuseGuessing(address);
    const found = await this.sources.find(project, key);
    const isGuess = found.kind === 'closed' || found.kind === 'no project';
    if (isGuess) await this.limits.countRequest(`address:${address}`);
    return found;
  }

  private async answerByKey(
    { path, key, source }: { path: CollectorPath; key: string; source: ErrorSource },
    request: Request,
    memory: BodyMemory,
  ): Promise<DeliveryAnswer> {
    return this.noting(source, async () => {
      await this.limits.countRequest(`key:${key}`);
      const delivery = await this.read(path, request, memory);
      checkDsn(delivery, { project: path.project, key });
      return this.intake.take(source, delivery);
    });
  }

  /** The key may be in the envelope: it has to be read before anyone is known to send it. */
  private async answerByDsn(
    path: CollectorPath,
    request: Request,
    memory: BodyMemory,
  ): Promise<DeliveryAnswer> {
    if (path.endpoint !== 'envelope') throw noCredentials();
    await this.limits.countRequest(`address:${clientAddress(request.ip)}`);
    const delivery = await this.read(path, request, memory);
    const key = delivery.header.dsn?.publicKey;
    if (key === undefined) throw noCredentials();
    checkDsn(delivery, { project: path.project, key });
    const source = opened(await this.sources.find(path.project, key));
    return this.noting(source, async () => {
      await this.limits.countRequest(`key:${key}`);
      return this.intake.take(source, delivery);
    });
  }

  private read(
    { endpoint }: CollectorPath,
    request: Request,
    memory: BodyMemory,
  ): Promise<Delivery> {
    const arrival = { receivedAt: this.clock.now(), clientAddress: requestAddress(request) ?? '' };
    return readDelivery({ endpoint, arrival }, request, { memory, unpacking: this.unpacking });
  }

  /** Counts for the project what is refused of it. */
  private async noting<T>({ projectId }: ErrorSource, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) this.intake.refused(projectId, refusal);
      throw refusal ?? error;
    }
  }
}

function opened(found: SourceLookup): ErrorSource {
  if (found.kind === 'open') return found.source;
  if (found.kind === 'no key') throw noCredentials();
  throw notFound(found.kind === 'no project' ? '404 Project Not Found' : '404 Not Found');
}

/** An envelope that was made for another project or key is at the wrong address. */
function checkDsn({ header: { dsn } }: Delivery, asked: { project: string; key: string }): void {
  if (dsn === null) return;
  const areIds = /^\d+$/.test(dsn.project) && /^\d+$/.test(asked.project);
  if (areIds) oneOf([dsn.project, asked.project]);
  oneOf([dsn.publicKey, asked.key]);
}

function refuse(
  error: unknown,
  { request, response, next }: { request: Request; response: Response; next: NextFunction },
): void {
  const refusal = refusalOf(error);
  drainBriefly(request, response);
  if (refusal === null) {
    next(error);
    return;
  }
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  sendBody(response, refusal.status, refusal.body);
}

function notAllowed(): IngestError {
  const headers = { Allow: 'POST, OPTIONS' };
  return new IngestError(405, '405 Method Not Allowed', { headers });
}
