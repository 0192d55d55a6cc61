import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { IdOrPath } from '../core/params/ids.js';
import { Sql } from '../core/sql/sql.service.js';
import { canInGroup } from '../members/abilities.js';
import { accessLevelSql } from '../members/member-access.service.js';

interface PlaceRow {
  id: number;
  ownerId: number | null;
  visibility: number | null;
  accessLevel: number;
}

/** Where somebody may put projects. */
@Injectable()
export class ProjectPlaces {
  constructor(private readonly sql: Sql) {}

  /** Id of the user's own namespace. */
  async ownNamespaceId(userId: number): Promise<number | null> {
    const row = await this.sql.row<{ id: number }>(
      'SELECT id FROM namespaces WHERE owner_id = $1',
      [userId],
    );
    return row?.id ?? null;
  }

  /**
   * Id of the namespace when the user may create projects in it: their own (not external users),
   * a group as Developer; any for administrators. null otherwise, also when there is none.
   */
  async usableNamespaceId(wanted: IdOrPath, viewer: Viewer): Promise<number | null> {
    const [condition, value] =
      'id' in wanted ? ['n.id = $2', wanted.id] : ['lower(n.full_path) = lower($2)', wanted.path];
    const place = await this.sql.row<PlaceRow>(
      `SELECT n.id, n.owner_id AS "ownerId", g.visibility,
              ${accessLevelSql('$1', 'n', 'NULL')} AS "accessLevel"
       FROM namespaces n LEFT JOIN groups g ON g.id = n.id
       WHERE g.pending_delete IS NOT TRUE AND ${condition}`,
      [viewer.id, value],
    );
    return place !== null && mayCreateIn(place, viewer) ? place.id : null;
  }
}

function mayCreateIn(place: PlaceRow, viewer: Viewer): boolean {
  if (viewer.admin) return true;
  if (place.visibility === null) return place.ownerId === viewer.id && !viewer.external;
  const { visibility, accessLevel } = place;
  return canInGroup('create_project', { visibility, accessLevel, viewer });
}
