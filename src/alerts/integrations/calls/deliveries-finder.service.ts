import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { Sql } from '../../../core/sql/sql.service.js';
import type { AlertDelivery } from '../../alert-delivery.entity.js';

/** A delivery without what was sent. */
export interface DeliveryRow extends Omit<AlertDelivery, 'payload'> {
  hasPayload: boolean;
}

/** A delivery with what was sent, as far as it was kept. */
export type FoundDelivery = DeliveryRow & Pick<AlertDelivery, 'payload'>;

const COLUMNS = `
  d.id, d.integration_id AS "integrationId", d.source, d.status, d.size, d.error, d.calls,
  d.alert_iids AS "alertIids", d.created_at AS "createdAt",
  d.payload IS NOT NULL AS "hasPayload"`;
const FROM = 'alert_deliveries d';

/** Reads the latest calls of integrations' webhooks; older ones are not kept. */
@Injectable()
export class DeliveriesFinder {
  constructor(private readonly sql: Sql) {}

  /** Deliveries of an integration, the newest first. */
  list(integrationId: number, paging: Paging): Promise<Page<DeliveryRow>> {
    return this.sql.page<DeliveryRow>(
      {
        select: COLUMNS,
        from: FROM,
        where: 'd.integration_id = $1',
        orderBy: 'd.id DESC',
        values: [integrationId],
      },
      paging,
    );
  }

  /** One delivery of the integration; throws 404 for those of others. */
  async get(integrationId: number, id: number): Promise<FoundDelivery> {
    const delivery = await this.sql.row<FoundDelivery>(
      `SELECT ${COLUMNS}, d.payload FROM ${FROM} WHERE d.integration_id = $1 AND d.id = $2`,
      [integrationId, id],
    );
    if (delivery === null) throw new NotFoundError('Delivery');
    return delivery;
  }
}
