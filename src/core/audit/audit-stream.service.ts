import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { inBatches, type IsStopping } from '../durable-work/periodic-task.js';
import { RunEvery } from '../durable-work/run-every.decorator.js';
import { AuditDeliveriesRepository } from './audit-deliveries.repository.js';
import { sendAuditEvents } from './audit-targets.js';

const BATCH = 100;

/**
 * Sends audit events to AUDIT_STREAM_URL, each at least once: those that the other system does not take
 * stay in the database and are sent again a minute later.
 */
@Injectable()
export class AuditStream {
  constructor(
    private readonly deliveries: AuditDeliveriesRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'auditStream'>,
  ) {}

  @RunEvery({ ms: 5_000, failureMessage: 'Sending audit events failed' })
  async sendDue(isStopping: IsStopping): Promise<void> {
    const { auditStream } = this.config;
    if (auditStream === undefined) return;
    await inBatches(BATCH, isStopping, async () => {
      const leased = await this.deliveries.lease(BATCH);
      if (leased.length === 0) return 0;
      await sendAuditEvents(
        auditStream,
        leased.map(({ event }) => event),
      );
      await this.deliveries.deleteSent(leased);
      return leased.length;
    });
  }
}
