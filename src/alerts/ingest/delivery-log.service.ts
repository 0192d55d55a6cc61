import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { ApiError } from '../../core/errors.js';
import { WriteBuffer } from '../../core/ingest/ingest-queue.js';
import { processCounter } from '../../core/metrics/metrics-registry.js';
import {
  AlertDeliveriesRepository,
  MAX_KEPT_PAYLOAD,
  type DeliverySource,
  type NewDelivery,
} from '../alert-deliveries.repository.js';
import { UnlistedAlertsError } from '../parsing/prometheus-payload.js';

const WRITE_AFTER_MS = 1_000;
const MAX_ENTRIES = 1_000;
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** Accepted calls are counted by those who store them. */
export const alertCalls = processCounter({
  name: 'guildhall_alert_calls_total',
  help: 'Calls of alert integrations by source and status of the response',
  labelNames: ['source', 'status'],
});

/** A call of an integration that was refused. */
export interface RefusedCall {
  integrationId: number;
  via: DeliverySource;
  status: number;
  /** For people who look for the reason. */
  error: string;
  /** Bytes of the body as far as they are known. */
  size: number;
  /** Only what is worth looking at. */
  payload?: Buffer;
}

/**
 * Logs refused calls without making anyone wait: equal ones of the same second are one row, of which
 * the first has the body. A flood of refusals loses some of them.
 */
@Injectable()
export class DeliveryLog implements OnModuleDestroy {
  private readonly logger = new Logger(DeliveryLog.name);
  private readonly rows = new WriteBuffer<NewDelivery>((rows) => this.write(rows), {
    limit: MAX_ENTRIES,
    delayMs: WRITE_AFTER_MS,
  });
  private payloadBytes = 0;

  constructor(private readonly deliveries: AlertDeliveriesRepository) {}

  /** Written within a second. */
  refused({ payload, ...call }: RefusedCall): void {
    alertCalls.inc({ source: call.via, status: call.status });
    const key = `${call.integrationId} ${call.via} ${call.status} ${call.error}`;
    this.rows.put(key, {
      create: () => ({ ...call, calls: 1, alertIids: [], payload: this.kept(payload) }),
      add: (row) => {
        row.calls += 1;
      },
    });
  }

  onModuleDestroy(): Promise<void> {
    return this.rows.close();
  }

  private kept(payload: Buffer | undefined): Buffer | null {
    if (payload === undefined || payload.length > MAX_KEPT_PAYLOAD) return null;
    if (this.payloadBytes + payload.length > MAX_PAYLOAD_BYTES) return null;
    this.payloadBytes += payload.length;
    return payload;
  }

  private async write(deliveries: NewDelivery[]): Promise<void> {
    for (const { payload } of deliveries) this.payloadBytes -= payload?.length ?? 0;
    try {
      await this.deliveries.log(deliveries);
    } catch (error) {
      this.logger.warn(`${deliveries.length} refused deliveries were not logged: ${String(error)}`);
    }
  }
}

/** 400 for a recovery of nothing that is open. */
export class UnmatchedRecoveryError extends ApiError {
  constructor() {
    super(400, { message: '400 Bad request' });
  }
}

/** Returns why a call was refused, for people; `refusal` is null for an error of ours. */
export function reasonOf(refusal: ApiError | null): string {
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
export function isWorthLooking(refusal: ApiError | null): boolean {
  return (
    refusal instanceof UnmatchedRecoveryError ||
    refusal instanceof UnlistedAlertsError ||
    refusal?.status === 422
  );
}
