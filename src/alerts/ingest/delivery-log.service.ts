import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { DeliverySource } from '../alert-delivery.entity.js';
import {
  AlertDeliveriesRepository,
  MAX_KEPT_PAYLOAD,
  type NewDelivery,
} from '../alert-deliveries.repository.js';

const WRITE_AFTER_MS = 1_000;
const MAX_ENTRIES = 1_000;
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

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
 * Notes refused calls without making anyone wait: equal ones of the same second are one row, of
 * which the first brings the body. Bounded: a flood of refusals costs a note here and there.
 */
@Injectable()
export class DeliveryLog implements OnModuleDestroy {
  private readonly logger = new Logger(DeliveryLog.name);
  private entries = new Map<string, NewDelivery>();
  private payloadBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly deliveries: AlertDeliveriesRepository) {}

  /** To be written within a second. */
  refused({ payload, ...call }: RefusedCall): void {
    const key = `${call.integrationId} ${call.via} ${call.status} ${call.error}`;
    const known = this.entries.get(key);
    if (known !== undefined) {
      known.calls += 1;
      return;
    }
    if (this.entries.size >= MAX_ENTRIES) return;
    this.entries.set(key, { ...call, calls: 1, alertIids: [], payload: this.kept(payload) });
    this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }

  /** Writes what is left while the database is still connected. */
  async onModuleDestroy(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private kept(payload: Buffer | undefined): Buffer | null {
    if (payload === undefined || payload.length > MAX_KEPT_PAYLOAD) return null;
    if (this.payloadBytes + payload.length > MAX_PAYLOAD_BYTES) return null;
    this.payloadBytes += payload.length;
    return payload;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const deliveries = [...this.entries.values()];
    this.entries = new Map();
    this.payloadBytes = 0;
    if (deliveries.length > 0) this.writing = this.writing.then(() => this.write(deliveries));
  }

  private async write(deliveries: NewDelivery[]): Promise<void> {
    try {
      await this.deliveries.log(deliveries);
    } catch (error) {
      // Only a note for people: worth a line in the log.
      this.logger.warn(`${deliveries.length} refused deliveries were not noted: ${String(error)}`);
    }
  }
}
