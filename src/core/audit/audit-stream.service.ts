import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuditStreamConfig } from '../../config/services.js';
import { Clock } from '../clock.js';
import { inBatches, type IsStopping } from '../durable-work/periodic-task.js';
import { RunEvery } from '../durable-work/run-every.decorator.js';
import { processCounter } from '../metrics/process-metrics.js';
import { AuditDeliveriesRepository, type LeasedDelivery } from './audit-deliveries.repository.js';
import { SEND_TIMEOUT_MS, sendAuditEvents } from './audit-targets.js';

const BATCH = 100;
/** Attempts of an event together with others, before it is sent alone. */
const SHARED_ATTEMPTS = 3;
/** A system that takes none of these events in a row does not work at all. */
const MAX_FAILURES = 3;

const streamed = processCounter({
  name: 'guildhall_audit_events_streamed_total',
  help: 'Attempts to send audit events, by outcome: sent or failed',
  labelNames: ['outcome'],
});

/**
 * Sends audit events to AUDIT_STREAM_URL, each at least once: those that the other system does not take
 * stay in the database and are sent again a minute later. When this fails repeatedly, each is sent alone, so
 * that one that is refused keeps no others waiting.
 */
@Injectable()
export class AuditStream {
  private readonly logger = new Logger(AuditStream.name);

  constructor(
    private readonly deliveries: AuditDeliveriesRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'auditStream'>,
  ) {}

  @RunEvery({ ms: 5_000, failureMessage: 'Sending audit events failed' })
  async sendDue(isStopping: IsStopping): Promise<void> {
    const { auditStream } = this.config;
    if (auditStream === undefined) return;
    await inBatches(BATCH, isStopping, async () => {
      const leased = await this.deliveries.lease(BATCH);
      if (leased.length > 0) await this.send(auditStream, leased);
      return leased.length;
    });
  }

  private async send(target: AuditStreamConfig, leased: readonly LeasedDelivery[]): Promise<void> {
    try {
      await post(target, leased);
    } catch (error) {
      if (leased.some(({ attempts }) => attempts > SHARED_ATTEMPTS)) {
        await this.sendEach(target, leased);
      }
      throw error;
    }
    await this.deliveries.deleteSent(leased);
  }

  /** Sends until the leases are about to end, or nothing is taken. */
  private async sendEach(
    target: AuditStreamConfig,
    leased: readonly LeasedDelivery[],
  ): Promise<void> {
    let failures = 0;
    for (const delivery of leased) {
      if (delivery.leaseEnd.getTime() - this.clock.now().getTime() < SEND_TIMEOUT_MS) return;
      try {
        await post(target, [delivery]);
        await this.deliveries.deleteSent([delivery]);
        failures = 0;
      } catch (error) {
        this.logger.warn(`Audit event ${delivery.event.id} was not taken: ${String(error)}`);
        await this.deliveries.postpone(delivery);
        failures += 1;
        if (failures === MAX_FAILURES) return;
      }
    }
  }
}

/** Sends events and counts what became of them. */
async function post(target: AuditStreamConfig, leased: readonly LeasedDelivery[]): Promise<void> {
  try {
    await sendAuditEvents(
      target,
      leased.map(({ event }) => event),
    );
    streamed.inc({ outcome: 'sent' }, leased.length);
  } catch (error) {
    streamed.inc({ outcome: 'failed' }, leased.length);
    throw error;
  }
}
