import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { NO_ACCESS, ROLES } from './roles.js';

/**
 * SQL for the effective level of user `$user` in a container: the maximum of direct and inherited
 * memberships that have not expired; the owner of a user namespace counts as Owner.
 *
 * `namespace` is the alias of the joined namespaces row, `project` an SQL expression for the
 * project's id (`NULL` for groups), `user` a placeholder.
 */
export function accessLevelSql(user: string, namespace: string, project: string): string {
  return `greatest(
    CASE WHEN ${namespace}.owner_id = ${user} THEN ${ROLES.owner} ELSE ${NO_ACCESS} END,
    (SELECT coalesce(max(m.access_level), ${NO_ACCESS}) FROM members m
     WHERE m.user_id = ${user}
       AND (m.namespace_id = ANY(${namespace}.traversal_ids) OR m.project_id = ${project})
       AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'UTC')::date)))`;
}

/** Reads effective levels; lists fold `accessLevelSql` into their own statement instead. */
@Injectable()
export class MemberAccess {
  constructor(private readonly sql: Sql) {}

  /** Effective level of the user in the namespace, 0 for none. */
  async levelInNamespace(userId: number, namespaceId: number): Promise<number> {
    const row = await this.sql.row<{ level: number }>(
      `SELECT ${accessLevelSql('$1', 'n', 'NULL')} AS level FROM namespaces n WHERE n.id = $2`,
      [userId, namespaceId],
    );
    return row?.level ?? NO_ACCESS;
  }

  /** Effective level of the user in the project, 0 for none. */
  async levelInProject(userId: number, projectId: number): Promise<number> {
    const row = await this.sql.row<{ level: number }>(
      `SELECT ${accessLevelSql('$1', 'n', 'p.id')} AS level
       FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $2`,
      [userId, projectId],
    );
    return row?.level ?? NO_ACCESS;
  }
}
