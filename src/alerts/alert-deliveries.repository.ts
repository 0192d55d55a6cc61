import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import { InputColumns } from '../core/ingest/ingest-queue.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import { AlertIntegration } from './alert-integration.entity.js';

export type DeliverySource = 'webhook' | 'test' | 'replay';

/** One call of an integration's webhook and how it ended; the latest are kept for people to see. */
@Entity('alert_deliveries')
@Index('ix_alert_deliveries_integration', ['integrationId', 'id'])
@Check('ck_alert_deliveries_source', `"source" IN ('webhook', 'test', 'replay')`)
export class AlertDelivery {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_deliveries',
  })
  id: number;

  @ForeignKey(() => AlertIntegration, {
    name: 'fk_alert_deliveries_integration',
    onDelete: 'CASCADE',
  })
  @Column({ type: 'bigint', name: 'integration_id' })
  integrationId: number;

  @Column({ type: 'text', name: 'source', default: 'webhook' })
  source: DeliverySource;

  /** HTTP status of the answer. */
  @Column({ type: 'smallint', name: 'status' })
  status: number;

  /** Bytes of the body. */
  @Column({ type: 'integer', name: 'size' })
  size: number;

  /** Reason for the refusal; null if accepted. */
  @Column({ type: 'text', name: 'error', nullable: true })
  error: string | null;

  /** Refused calls that came together and alike are one row. */
  @Column({ type: 'integer', name: 'calls', default: 1 })
  calls: number;

  /** Numbers of the alerts that were created, updated or resolved. */
  @Column({ type: 'bigint', array: true, name: 'alert_iids', default: '{}' })
  alertIids: number[];

  /** The body as it came, for sending it again; null when it was too large to keep. */
  @Column({ type: 'bytea', name: 'payload', nullable: true })
  payload: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A delivery without its payload. */
export interface DeliveryRow extends Omit<AlertDelivery, 'payload'> {
  hasPayload: boolean;
}

/** A delivery with its payload, as far as it was kept. */
export type FoundDelivery = DeliveryRow & Pick<AlertDelivery, 'payload'>;

/** A delivery with events of an alert. */
export type AlertDeliveryRow = Pick<
  AlertDelivery,
  'id' | 'integrationId' | 'source' | 'calls' | 'createdAt'
>;

/** A delivery to insert. */
export interface NewDelivery {
  integrationId: number;
  via: DeliverySource;
  status: number;
  /** Bytes of the body. */
  size: number;
  error: string | null;
  /** The number of equal calls. */
  calls: number;
  alertIids: readonly number[];
  payload: Buffer | null;
}

/** An integration with more deliveries than are kept. */
export interface DeliveryExcess {
  integrationId: number;
  /** The newest delivery to delete. */
  last: number;
}

/** Longer bodies are not kept. */
export const MAX_KEPT_PAYLOAD = 256 * 1024;

/** Rows that one statement deletes, so that none of them locks for long. */
export const DELETED_DELIVERIES = 1_000;

/** Deliveries that an integration keeps, the newest ones. */
const KEPT = 200;

const COLUMNS = `
  d.id, d.integration_id AS "integrationId", d.source, d.status, d.size, d.error, d.calls,
  d.alert_iids AS "alertIids", d.created_at AS "createdAt",
  d.payload IS NOT NULL AS "hasPayload"`;
const FROM = 'alert_deliveries d';

const DELIVERIES = new InputColumns<NewDelivery>([
  ['integration_id', 'bigint', ({ integrationId }) => integrationId],
  ['source', 'text', ({ via }) => via],
  ['status', 'smallint', ({ status }) => status],
  ['size', 'int', ({ size }) => size],
  ['error', 'text', ({ error }) => error],
  ['calls', 'int', ({ calls }) => calls],
  ['alert_iids', 'text', ({ alertIids }) => `{${alertIids.join(',')}}`],
  [
    'payload',
    'bytea',
    ({ payload }) => (payload && payload.length <= MAX_KEPT_PAYLOAD ? payload : null),
  ],
]);

/** Integrations that are gone have no deliveries. */
const INSERT_SQL = `
  INSERT INTO alert_deliveries (${DELIVERIES.names.join(', ')})
  SELECT n.integration_id, n.source, n.status, n.size, n.error, n.calls, n.alert_iids::bigint[],
    n.payload
  FROM ${DELIVERIES.source}
  WHERE EXISTS (SELECT FROM alert_integrations i WHERE i.id = n.integration_id)
  ORDER BY n.position`;

/** Reads the deliveries of one integration, of which few are kept. */
const ALERT_DELIVERIES_SQL = `
  SELECT d.id, d.integration_id AS "integrationId", d.source, d.calls, d.created_at AS "createdAt"
  FROM alerts a JOIN alert_deliveries d ON d.integration_id = a.integration_id
  WHERE a.id = $1 AND a.iid = ANY(d.alert_iids) ORDER BY d.id DESC LIMIT 10`;

/** The newest delivery of each integration that is one too many. */
const EXCESS_SQL = `
  SELECT i.id AS "integrationId", d.id AS "last" FROM alert_integrations i
  CROSS JOIN LATERAL (SELECT id FROM alert_deliveries WHERE integration_id = i.id
    ORDER BY id DESC OFFSET ${KEPT} LIMIT 1) d`;

/** From $3 on, so that a statement does not wade through what the ones before it deleted. */
const DELETE_EXCESS_SQL = `
  DELETE FROM alert_deliveries WHERE id = ANY(ARRAY(
    SELECT id FROM alert_deliveries WHERE integration_id = $1 AND id <= $2 AND id > $3
    ORDER BY id LIMIT ${DELETED_DELIVERIES} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Reads the whole table, which is small once the integrations are trimmed. */
const DELETE_OLD_SQL = `
  DELETE FROM alert_deliveries WHERE id = ANY(ARRAY(
    SELECT id FROM alert_deliveries WHERE created_at < $1 LIMIT ${DELETED_DELIVERIES} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** Owns every statement about deliveries, the latest calls of integrations' webhooks. */
@Injectable()
export class AlertDeliveriesRepository extends Repository<AlertDelivery> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(AlertDelivery, dataSource.manager);
  }

  /** Returns one page of an integration's deliveries, newest first. */
  list(integrationId: number, paging: Paging): Promise<Page<DeliveryRow>> {
    return this.queries.page<DeliveryRow>(
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

  /** Returns the latest deliveries that contained an event of the alert, at most 10. */
  listOfAlert(alertId: number): Promise<AlertDeliveryRow[]> {
    return this.queries.rows<AlertDeliveryRow>(ALERT_DELIVERIES_SQL, [alertId]);
  }

  /** Throws NotFoundError for a delivery that the integration does not have. */
  async get(integrationId: number, id: number): Promise<FoundDelivery> {
    const delivery = await this.queries.row<FoundDelivery>(
      `SELECT ${COLUMNS}, d.payload FROM ${FROM} WHERE d.integration_id = $1 AND d.id = $2`,
      [integrationId, id],
    );
    if (delivery === null) throw new NotFoundError('Delivery');
    return delivery;
  }

  /** Inserts the deliveries in their order, as part of a transaction. */
  async insertAll(rows: TransactionRows, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length > 0) await rows(INSERT_SQL, DELIVERIES.values(deliveries));
  }

  /** Inserts the deliveries in their order, in a statement of its own. */
  async log(deliveries: readonly NewDelivery[]): Promise<void> {
    await this.queries.rows(INSERT_SQL, DELIVERIES.values(deliveries));
  }

  /** Returns the integrations that have more than the 200 deliveries that are kept. */
  listExcess(): Promise<DeliveryExcess[]> {
    return this.queries.rows<DeliveryExcess>(EXCESS_SQL);
  }

  /** Deletes the oldest deliveries above `from` up to the last excess one; returns their ids. */
  async deleteExcess({ integrationId, last }: DeliveryExcess, from: number): Promise<number[]> {
    const rows = await this.queries.rows<{ id: number }>(DELETE_EXCESS_SQL, [
      integrationId,
      last,
      from,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Deletes deliveries from before the time; returns their number. */
  async deleteOld(before: Date): Promise<number> {
    return (await this.queries.rows(DELETE_OLD_SQL, [before])).length;
  }
}
