import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { Clock } from '../clock.js';
import {
  leaseSql,
  leaseValues,
  postponeSql,
  type Lease,
  type WorkTable,
} from '../durable-work/sql/work-statements.js';
import { Sql } from '../sql/sql.service.js';
import { AuditDelivery } from './audit-event.entity.js';

/** Longer than an attempt takes; a failed one is repeated after this time. */
const LEASE_SECONDS = 60;

const DELIVERIES: WorkTable = {
  table: 'audit_deliveries',
  pending: 'true',
  order: 'w.not_before, w.id',
};

const LEASE_SQL = `
  WITH leased AS (${leaseSql(DELIVERIES, {
    columns: 'w.id, w.audit_event_id, w.attempts',
    now: '$1',
    kinds: ['true'],
    limit: '$2',
    seconds: LEASE_SECONDS,
  })})
  SELECT l.id, l."leaseEnd", l.attempts, json_build_object('id', e.id, 'created_at', e.created_at,
    'event_name', e.action, 'author_id', e.author_id, 'author_name', e.author_name,
    'impersonator_id', e.impersonator_id, 'impersonator_name', e.impersonator_name,
    'entity_type', e.entity_type, 'entity_id', e.entity_id, 'entity_path', e.entity_path,
    'target_type', e.target_type, 'target_id', e.target_id, 'target_name', e.target_name,
    'ip_address', host(e.ip_address), 'details', e.details) AS event
  FROM leased l JOIN audit_events e ON e.id = l.audit_event_id ORDER BY e.id`;

const DELETE_SQL = `
  DELETE FROM audit_deliveries d USING unnest($1::bigint[], $2::timestamptz[]) AS l (id, lease_end)
  WHERE d.id = l.id AND d.not_before = l.lease_end`;

/** Those that failed alone were tried a few times before: they wait for minutes at first, later for an hour. */
const POSTPONE_SQL = postponeSql(DELIVERIES, {
  where: 'w.id = $1 AND w.not_before = $2',
  now: '$3',
  seconds: 1,
});

/** An audit event as other systems receive it. */
export interface StreamedAuditEvent {
  id: number;
  created_at: string;
  event_name: string;
  [field: string]: unknown;
}

/** An audit event that this worker is to send. */
export interface LeasedDelivery extends Lease {
  /** Including the one that begins. */
  attempts: number;
  event: StreamedAuditEvent;
}

/** Owns the statements about audit events that are to be sent to another system. */
@Injectable()
export class AuditDeliveriesRepository extends Repository<AuditDelivery> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly clock: Clock,
  ) {
    super(AuditDelivery, dataSource.manager);
  }

  /** Leases the oldest due deliveries, with their events in the order of their IDs. */
  lease(limit: number): Promise<LeasedDelivery[]> {
    return this.queries.rows<LeasedDelivery>(LEASE_SQL, [this.clock.now(), limit]);
  }

  /** Puts off a delivery that the other system refused, unless another worker has leased it since. */
  async postpone({ id, leaseEnd }: Lease): Promise<void> {
    await this.queries.rows(POSTPONE_SQL, [id, leaseEnd, this.clock.now()]);
  }

  /** Deletes deliveries that were sent, unless another worker has leased them since. */
  async deleteSent(deliveries: readonly Lease[]): Promise<void> {
    await this.queries.rows(DELETE_SQL, leaseValues(deliveries));
  }
}
