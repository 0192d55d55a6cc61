import { Injectable } from '@nestjs/common';
import { BadRequestError } from '../../../core/errors.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import type { TouchedAlert } from '../../ingest/alert-source.js';
import { AlertDeliveriesRepository } from '../../alert-deliveries.repository.js';
import type { IntegrationRow } from '../../alert-integrations.repository.js';
import { TestAlerts } from './test-alerts.service.js';

/** Sends again what a tool once sent, by the rules that the integration has now. */
@Injectable()
export class DeliveryReplay {
  constructor(
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly alerts: TestAlerts,
  ) {}

  /** Throws 404, 400 when what was sent was not kept, and as `TestAlerts.send`. */
  async replay(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    deliveryId: number,
  ): Promise<TouchedAlert[]> {
    const { payload } = await this.deliveries.get(integration.id, deliveryId);
    if (payload === null) throw new BadRequestError('the payload of the delivery was not kept');
    return this.alerts.deliver(project, integration, { body: payload, via: 'replay' });
  }
}
