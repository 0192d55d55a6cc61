import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { queryPrepared } from '../sql/pg-driver.js';
import {
  Notification,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
  type NewNotification,
} from './notification.entity.js';

const NAMES = 'kind, project_id, actor_id, target_type, target_id, note_id, details';

/** For a single notification, as nearly all are. */
const INSERT_ONE_SQL = `INSERT INTO notifications (${NAMES}) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Values: an array for each column. */
const INSERT_SQL = `
  INSERT INTO notifications (${NAMES})
  SELECT ${NAMES} FROM
    unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[],
      $7::jsonb[]) WITH ORDINALITY
    AS n (${NAMES}, position)
  ORDER BY position`;

/**
 * Owns the statements about notifications alone; those that find recipients belong to
 * notifications.
 */
@Injectable()
export class NotificationsRepository extends Repository<Notification> {
  constructor(dataSource: DataSource) {
    super(Notification, dataSource.manager);
  }

  /** Records notifications in the order given. */
  async record(manager: EntityManager, notifications: readonly NewNotification[]): Promise<void> {
    const values = notifications.map((one) => [
      NOTIFICATION_KINDS[one.kind],
      one.projectId,
      one.actorId,
      NOTIFICATION_TARGETS[one.target.type],
      one.target.id,
      one.noteId ?? null,
      JSON.stringify(one.details ?? {}),
    ]);
    const [first] = values;
    if (first === undefined) return;
    if (values.length === 1) {
      const one = { name: 'record-notification', text: INSERT_ONE_SQL, values: first };
      await queryPrepared(manager, one);
      return;
    }
    const columns = first.map((_, column) => values.map((row) => row[column]));
    const all = { name: 'record-notifications', text: INSERT_SQL, values: columns };
    await queryPrepared(manager, all);
  }
}
