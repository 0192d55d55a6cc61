import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { ACTIVE_MEMBERSHIP } from '../../members/member-source.js';
import { PROJECT_ABILITIES } from '../../members/abilities.js';
import { ROLES } from '../../members/roles.js';
import type { ProjectRow } from '../../projects/project-row.js';

/** Somebody who can be given an alert. */
export interface Assignable {
  id: number;
  username: string;
  name: string;
}

/** A longer list is of no use to who picks one of it. */
const MOST = 200;

const SQL = `SELECT u.id, u.username, u.name FROM users u
  WHERE u.state = 'active' AND u.user_type = 'human' AND u.id IN (
    SELECT m.user_id FROM members m
    WHERE (m.project_id = $1 OR m.namespace_id IN (
        SELECT unnest(traversal_ids) FROM namespaces WHERE id = $2))
      AND m.access_level >= $3 AND ${ACTIVE_MEMBERSHIP}
    UNION ALL SELECT owner_id FROM namespaces WHERE id = $2 AND owner_id IS NOT NULL)
  ORDER BY lower(u.name), u.id LIMIT ${MOST}`;

/** Reads who of a project may have its alerts. */
@Injectable()
export class AssignablePeople {
  constructor(private readonly sql: Sql) {}

  /** People, not bots, among the members that may read alerts, by name; at most 200. */
  of({ id, namespaceId }: Pick<ProjectRow, 'id' | 'namespaceId'>): Promise<Assignable[]> {
    return this.sql.rows<Assignable>(SQL, [id, namespaceId, ROLES[PROJECT_ABILITIES.read_alert]]);
  }
}
