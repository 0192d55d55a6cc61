import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../../core/clock.js';
import { Semaphore } from '../../core/concurrency.js';
import { drainBriefly } from '../../core/http/raw-bodies.js';
import { requestAddress, clientAddress } from '../../core/http/request-address.js';
import { ClientKeyCache } from '../client-keys/client-key-cache.service.js';
import { CollectorLimits } from './collector-limits.service.js';
import { oneOf, openSource, type Reporter } from './collector.guard.js';
import { EventIntake, type Delivery, type DeliveryAnswer } from './event-intake.service.js';
import { noCredentials, refusalOf } from './ingest-error.js';
import { BodyMemory } from './body-memory.js';
import { readEnvelopeBody, readStoreBody } from './report-body.js';

/** Endpoints of a project's collector; older SDKs use `store`, browsers report to `security`. */
export const COLLECTOR_ENDPOINTS = ['envelope', 'store', 'security'] as const;
type CollectorEndpoint = (typeof COLLECTOR_ENDPOINTS)[number];

/** Limit of body bytes in the process. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

const NO_HEADER = { eventId: null, sentAt: null, dsn: null };
const NOTHING = { header: NO_HEADER, event: null, reports: [], received: null };

/** Reads what programs report, within their limits and a bounded memory, and has it stored. */
@Injectable()
export class ReportReader {
  private readonly bodies = new Semaphore({ capacity: MAX_WAITING_BYTES });
  private readonly unpacking = {
    small: new Semaphore({ capacity: 2, queue: 1_000 }),
    large: new Semaphore({ capacity: 1, queue: 100 }),
  };

  constructor(
    private readonly keys: ClientKeyCache,
    private readonly limits: CollectorLimits,
    private readonly intake: EventIntake,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the event is stored, after the limit and the body were checked. Throws 400, 408,
   * 413, 415 for the body, 429 above a limit or while too much waits.
   */
  async receive(
    endpoint: CollectorEndpoint,
    reporter: Reporter,
    { request, response }: { request: Request; response: Response },
  ): Promise<DeliveryAnswer> {
    const memory = new BodyMemory(this.bodies, MAX_WAITING_BYTES);
    const { project, key } = reporter;
    let { source } = reporter;
    try {
      // The key can be in the envelope, which is then read before the sender is known.
      if (source === null && endpoint !== 'envelope') throw noCredentials();
      const sender = source === null ? `address:${clientAddress(request.ip)}` : `key:${key}`;
      if (this.limits.enabled) await this.limits.countRequest(sender);
      const delivery = await this.read(endpoint, request, memory);
      checkDsn(delivery, { project, key });
      if (source === null) {
        const named = delivery.header.dsn?.publicKey;
        if (named === undefined) throw noCredentials();
        source = openSource(await this.keys.find(project, named));
        if (this.limits.enabled) await this.limits.countRequest(`key:${named}`);
      }
      const answer = await this.intake.take(source, delivery);
      drainBriefly(request, response);
      return answer;
    } catch (error) {
      const refusal = refusalOf(error);
      if (source !== null && refusal !== null) this.intake.refused(source.projectId, refusal);
      throw refusal ?? error;
    } finally {
      memory.release();
    }
  }

  private async read(
    endpoint: CollectorEndpoint,
    request: Request,
    memory: BodyMemory,
  ): Promise<Delivery> {
    const arrival = { receivedAt: this.clock.now(), clientAddress: requestAddress(request) ?? '' };
    const means = { memory, unpacking: this.unpacking };
    // Reports of browsers about the security of pages stay unread.
    if (endpoint === 'security') return { ...NOTHING, ...arrival, types: ['security'] };
    if (endpoint === 'store') {
      const body = await readStoreBody(request, means);
      return { ...NOTHING, ...arrival, ...body, types: ['event'] };
    }
    const { envelope, received } = await readEnvelopeBody(request, means);
    const { header, event, reports, types } = envelope;
    return { header, event, reports, types, received, ...arrival };
  }
}

/** An envelope that was made for another project or key is at the wrong address. */
function checkDsn({ header: { dsn } }: Delivery, asked: { project: string; key: string }): void {
  if (dsn === null) return;
  const areIds = /^\d+$/.test(dsn.project) && /^\d+$/.test(asked.project);
  if (areIds) oneOf([dsn.project, asked.project]);
  oneOf([dsn.publicKey, asked.key]);
}
