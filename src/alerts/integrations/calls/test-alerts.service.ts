import { Injectable } from '@nestjs/common';
import { BadRequestError, ForbiddenError } from '../../../core/errors.js';
import { assertTakesChanges } from '../../../projects/change-lock.js';
import type { ProjectRow } from '../../../projects/project-row.js';
import type { DeliverySource } from '../../alert-delivery.entity.js';
import { AlertIngest } from '../../ingest/alert-ingest.service.js';
import type { TouchedAlert } from '../../ingest/alert-source.js';
import { sourceOf, type IntegrationRow } from '../integration-row.js';

/** Sends payloads as if the tool had: they make, count and resolve real alerts. */
@Injectable()
export class TestAlerts {
  constructor(private readonly ingest: AlertIngest) {}

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

  /** The same for what is no test. */
  async deliver(
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
