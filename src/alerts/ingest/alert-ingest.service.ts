import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { processCounter } from '../../core/metrics/process-metrics.js';
import { IngestQueue } from '../../core/batch-loader.js';
import { toUnavailableError, ApiError, ForbiddenError } from '../../core/errors.js';
import type { DeliverySource } from '../alert-delivery.entity.js';
import { UnlistedAlertsError } from '../parsing/monitoring-payload.js';
import { parseAlertBody, parsePayload } from '../parsing/payload.js';
import type { AlertSource, TouchedAlert, IngestCall, IngestOutcome } from './alert-source.js';
import { AlertBatchWriter } from './alert-batch-writer.service.js';
import { alertCalls, DeliveryLog } from './delivery-log.service.js';

const LIMITS = {
  // One batch is written while the next one comes together.
  batches: { running: 2, size: 64 },
  waiting: [{ capacity: 20_000, weightOf: ({ parsed }: IngestCall) => parsed.alerts.length }],
};

const received = processCounter({
  name: 'guildhall_alerts_received_total',
  help: 'Alerts by outcome: stored or dropped above the limit of a call',
  labelNames: ['outcome'],
});

const FOREIGN_KEY_VIOLATION = '23503';

/** The one way into the table of alerts: for webhooks, test alerts and repeated deliveries. */
@Injectable()
export class AlertIngest {
  private readonly logger = new Logger(AlertIngest.name);
  private readonly queue: IngestQueue<IngestCall, IngestOutcome>;

  constructor(
    writer: AlertBatchWriter,
    private readonly deliveries: DeliveryLog,
    private readonly clock: Clock,
  ) {
    this.queue = new IngestQueue((calls) => writer.write(calls), LIMITS);
  }

  /**
   * Stores the alerts of a body, together with other calls, and records the delivery. Returned
   * alerts are committed. Throws 400 for an unreadable body and for a plain recovery without an
   * open alert, 403 for a deleted integration, 422, and 503 when the queue is full.
   */
  async receive(source: AlertSource, body: Buffer, via: DeliverySource): Promise<TouchedAlert[]> {
    const call = { source, body, via };
    try {
      const parsed = parsePayload(parseAlertBody(body), source, this.clock.now());
      if (parsed.dropped > 0) this.logDropped(source, parsed.dropped);
      const touched = await this.queue.run({ ...call, parsed });
      if (touched === null) throw new UnmatchedRecoveryError();
      alertCalls.inc({ source: via, status: 200 });
      received.inc({ outcome: 'stored' }, touched.length);
      return touched;
    } catch (error) {
      throw this.refuse(call, error);
    }
  }

  private logDropped({ integrationId, projectId }: AlertSource, dropped: number): void {
    const where = `integration ${integrationId} of project ${projectId}`;
    received.inc({ outcome: 'dropped' }, dropped);
    this.logger.warn(`${dropped} alerts beyond the first 100 of a call were dropped: ${where}`);
  }

  /** Notes the refusal; the error is the one to be thrown. */
  private refuse({ source, body, via }: Omit<IngestCall, 'parsed'>, error: unknown): unknown {
    const isGone = (error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION;
    const thrown = isGone ? new ForbiddenError() : error;
    const refusal = thrown instanceof ApiError ? thrown : toUnavailableError(thrown);
    const status = refusal?.status ?? 500;
    this.deliveries.refused({
      integrationId: source.integrationId,
      via,
      status,
      error: reasonOf(refusal),
      size: body.length,
      ...(isWorthLooking(refusal) && { payload: body }),
    });
    return thrown;
  }
}

/** 400 for a recovery of nothing that is open. */
class UnmatchedRecoveryError extends ApiError {
  constructor() {
    super(400, { message: '400 Bad request' });
  }
}

function reasonOf(refusal: ApiError | null): string {
  if (refusal === null) return 'The server failed';
  if (refusal instanceof UnmatchedRecoveryError) return 'No open alert matches this recovery';
  if (refusal instanceof UnlistedAlertsError) return 'The attribute "alerts" is not a list';
  return REASONS[refusal.status] ?? `Refused with status ${refusal.status}`;
}

const REASONS: Record<number, string> = {
  400: 'The body is not a JSON object within the limits',
  403: 'The integration was deleted',
  422: 'Required attributes of the Prometheus format are missing',
  503: 'The server is overloaded',
};

/** Bodies that could be read but were not what the integration can use. */
function isWorthLooking(refusal: ApiError | null): boolean {
  return (
    refusal instanceof UnmatchedRecoveryError ||
    refusal instanceof UnlistedAlertsError ||
    refusal?.status === 422
  );
}
