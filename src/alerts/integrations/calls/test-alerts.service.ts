import { Injectable } from '@nestjs/common';
import { BadRequestError, ForbiddenError } from '../../../core/errors.js';
import { assertTakesChanges } from '../../../workspace/projects/project-rules.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { DeliverySource } from '../../alert-delivery.entity.js';
import { AlertDeliveriesRepository } from '../../alert-deliveries.repository.js';
import { AlertIngest } from '../../ingest/alert-ingest.service.js';
import type { AlertSource, TouchedAlert } from '../../ingest/alert-source.js';
import type { IntegrationRow } from '../../alert-integrations.repository.js';

/** Sends payloads as if the tool had: they make, count and resolve real alerts. */
@Injectable()
export class TestAlerts {
  constructor(
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly ingest: AlertIngest,
  ) {}

  /**
   * Throws 403 for an inactive integration and in an archived project, 400 for external paging,
   * and what the webhook refuses: 400, 422, 503.
   */
  send(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    body: Buffer,
  ): Promise<TouchedAlert[]> {
    return this.deliver(project, integration, { body, via: 'test' });
  }

  /** Throws 404, 400 when what was sent was not kept, and as `send`. */
  async replay(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    deliveryId: number,
  ): Promise<TouchedAlert[]> {
    const { payload } = await this.deliveries.get(integration.id, deliveryId);
    if (payload === null) throw new BadRequestError('the payload of the delivery was not kept');
    return this.deliver(project, integration, { body: payload, via: 'replay' });
  }

  private async deliver(
    project: Pick<ProjectRow, 'archived'>,
    integration: IntegrationRow,
    { body, via }: { body: Buffer; via: DeliverySource },
  ): Promise<TouchedAlert[]> {
    assertTakesChanges(project);
    const source = sourceOf(integration);
    if (source === null) throw new BadRequestError('external paging integrations take no alerts');
    if (!integration.active) throw new ForbiddenError();
    return this.ingest.receive(source, body, via);
  }
}

/** Returns the integration as ingest reads it; null for external paging. */
function sourceOf(integration: IntegrationRow): AlertSource | null {
  const { id, projectId, name, type } = integration;
  if (type === 'external_paging') return null;
  const { payloadAttributeMappings: mappings, resolvedWhen } = integration;
  return { integrationId: id, projectId, name, type, mappings, resolvedWhen };
}
