import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { IdOrPath } from '../core/params/ids.js';
import { Sql } from '../core/sql/sql.service.js';
import { canInGroup } from '../members/abilities.js';
import { ValidationFailedError } from '../core/errors.js';
import { accessLevelSql, authorizedNamespacesSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';

interface PlaceRow {
  id: number;
  ownerId: number | null;
  visibility: number | null;
  accessLevel: number;
}

/** A namespace that someone may choose for a project. */
export interface UsableNamespace {
  id: number;
  fullPath: string;
}

/** A list to choose from is not longer than this. */
const MAX_CHOICES = 500;

/** Where someone may put projects. */
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
   * Id of the namespace for a new project of the user: the wished one, else their own. Throws 400
   * when there is none or they may not create projects in it.
   */
  async placeForNew(wish: number | null | undefined, viewer: Viewer): Promise<number> {
    const id = wish ?? (await this.ownNamespaceId(viewer.id));
    const usable = id === null ? null : await this.usableNamespaceId({ id }, viewer);
    if (usable === null) throw new ValidationFailedError({ namespace: ['is not valid'] });
    return usable;
  }

  /** The user's own namespace, then the groups in which their role lets them create projects. */
  namespacesOf(viewer: Viewer): Promise<UsableNamespace[]> {
    const ofRole = authorizedNamespacesSql('$1', String(ROLES.developer));
    return this.sql.rows<UsableNamespace>(
      `SELECT n.id, n.full_path AS "fullPath"
       FROM namespaces n LEFT JOIN groups g ON g.id = n.id
       WHERE g.pending_delete IS NOT TRUE
         AND (n.owner_id = $1 AND $2::boolean OR g.id IN (${ofRole}))
       ORDER BY g.id IS NOT NULL, lower(n.full_path) LIMIT ${MAX_CHOICES}`,
      [viewer.id, viewer.admin || !viewer.external],
    );
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
