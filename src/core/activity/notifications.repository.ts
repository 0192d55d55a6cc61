import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { queryPrepared } from '../sql/pg-driver.js';
import {
  type NewNotification,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
} from './notification-kinds.js';
import { Notification } from './notification.entity.js';

/** Values: an array for each column. */
const INSERT_SQL = `
  INSERT INTO notifications (kind, project_id, actor_id, target_type, target_id, note_id, details)
  SELECT kind, project_id, actor_id, target_type, target_id, note_id, details FROM
    unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[],
      $7::jsonb[]) WITH ORDINALITY
    AS n (kind, project_id, actor_id, target_type, target_id, note_id, details, position)
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
    const values = [
      notifications.map(({ kind }) => NOTIFICATION_KINDS[kind]),
      notifications.map(({ projectId }) => projectId),
      notifications.map(({ actorId }) => actorId),
      notifications.map(({ target }) => NOTIFICATION_TARGETS[target.type]),
      notifications.map(({ target }) => target.id),
      notifications.map(({ noteId }) => noteId ?? null),
      notifications.map(({ details }) => JSON.stringify(details ?? {})),
    ];
    await queryPrepared(manager, { name: 'record-notifications', text: INSERT_SQL, values });
  }
}
