import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { authorizedNamespacesSql, authorizedProjectSql } from '../../members/sql/access.js';
import { ROLES } from '../../members/roles.js';
import { VISIBILITY } from '../../members/visibility.js';
import { NOTIFICATION_LEVELS } from '../../subscriptions/notification-levels.js';
import type { PlaceKey } from './addresses.js';

/** A group or project with the levels that decide about its mails. */
export interface NotifiedPlace extends PlaceKey {
  fullPath: string;
  fullName: string;
  /** Its own level, `global` without a row. */
  level: number;
  /** That of the nearest group above it with one; null: what holds everywhere. */
  levelAbove: number | null;
}

const GUEST = String(ROLES.guest);

/** Of rows `s` with a level of the user $1. */
const HAS_LEVEL = `s.user_id = $1 AND s.level <> ${NOTIFICATION_LEVELS.global}`;

/**
 * Groups and projects of the user $1: those they belong to, and those with a setting of theirs that
 * they still may see; $2 = the visibility from which on anything is open to them.
 */
const PLACES_SQL = `
  SELECT 'group' AS kind, g.id, n.full_path AS path, n.full_name AS name,
    array_remove(n.traversal_ids, g.id) AS above
  FROM groups g JOIN namespaces n ON n.id = g.id
  WHERE NOT g.pending_delete AND (g.id IN (${authorizedNamespacesSql('$1', GUEST)})
    OR g.visibility >= $2::int AND g.id IN (
      SELECT s.namespace_id FROM notification_settings s WHERE s.user_id = $1))
  UNION ALL
  SELECT 'project', p.id, n.full_path || '/' || p.path, n.full_name || ' / ' || p.name,
    n.traversal_ids
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE NOT p.pending_delete AND (${authorizedProjectSql('$1', GUEST)}
    OR p.visibility >= $2::int AND p.id IN (
      SELECT s.project_id FROM notification_settings s WHERE s.user_id = $1))`;

const LEVEL_SQL = `coalesce((SELECT s.level FROM notification_settings s
  WHERE s.user_id = $1 AND CASE place.kind WHEN 'group' THEN s.namespace_id ELSE s.project_id END
    = place.id), ${NOTIFICATION_LEVELS.global})`;

const LEVEL_ABOVE_SQL = `(SELECT s.level FROM notification_settings s
  JOIN namespaces a ON a.id = s.namespace_id
  WHERE ${HAS_LEVEL} AND s.namespace_id = ANY(place.above)
  ORDER BY cardinality(a.traversal_ids) DESC LIMIT 1)`;

/** Lists what people may have notification settings for. */
@Injectable()
export class NotifiedPlaces {
  constructor(private readonly sql: Sql) {}

  /** One page of the viewer's groups and projects by path; `search` = part of path or name. */
  list(viewer: Viewer, search: string, paging: Paging): Promise<Page<NotifiedPlace>> {
    const where = new Conditions([viewer.id, openFrom(viewer)]);
    if (search !== '') {
      const pattern = where.value(containsPattern(search));
      where.and(`place.path ILIKE ${pattern} OR place.name ILIKE ${pattern}`);
    }
    return this.sql.page<NotifiedPlace>(
      {
        select: `place.kind, place.id, place.path AS "fullPath", place.name AS "fullName",
          ${LEVEL_SQL} AS level, ${LEVEL_ABOVE_SQL} AS "levelAbove"`,
        from: `(${PLACES_SQL}) place`,
        where: String(where),
        orderBy: 'lower(place.path), place.kind, place.id',
        values: where.values,
      },
      paging,
    );
  }

  /** The level of the nearest group above with one; null: what holds everywhere. */
  async levelAbove(userId: number, { kind, id }: PlaceKey): Promise<number | null> {
    const above =
      kind === 'group'
        ? 'SELECT array_remove(n.traversal_ids, n.id) AS above FROM namespaces n WHERE n.id = $2'
        : `SELECT n.traversal_ids AS above FROM projects p
           JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $2`;
    const row = await this.sql.row<{ level: number | null }>(
      `SELECT ${LEVEL_ABOVE_SQL} AS level FROM (${above}) place`,
      [userId, id],
    );
    return row?.level ?? null;
  }
}

function openFrom({ admin, external }: Viewer): number {
  if (admin) return VISIBILITY.private;
  return external ? VISIBILITY.public : VISIBILITY.internal;
}
