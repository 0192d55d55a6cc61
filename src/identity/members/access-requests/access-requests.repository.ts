import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { Conditions } from '../../../core/sql/conditions.js';
import { Sql } from '../../../core/sql/sql.service.js';
import type { UserBasics } from '../../users/user.presenter.js';
import {
  ACTIVE_MEMBERSHIP,
  SOURCE_COLUMNS,
  type MemberSource,
  type SourceKey,
} from '../member-source.js';
import { AccessRequest } from '../member.entity.js';
import { ROLES } from '../roles.js';

/** The user who requests access, and when they did. */
export interface AccessRequestRow extends UserBasics {
  requestedAt: Date;
}

/** Someone who decides about access requests. */
interface RequestReader {
  email: string;
}

const COLUMNS = 'u.id, u.username, u.name, u.state, u.avatar, r.requested_at AS "requestedAt"';
const TABLES = 'access_requests r JOIN users u ON u.id = r.user_id';

/** Emails about one request. */
const MAX_READERS = 10;

/** Direct members first, then those of the groups above; the owner of a personal project as well. */
const READERS_SQL = `
  SELECT u.email
  FROM namespaces n
  CROSS JOIN LATERAL (
    SELECT m.user_id, bool_or(m.project_id IS NOT NULL OR m.namespace_id = $2) AS direct
    FROM members m
    WHERE (m.namespace_id = ANY(n.traversal_ids) OR m.project_id = $3)
      AND m.access_level >= $4 AND ${ACTIVE_MEMBERSHIP}
    GROUP BY m.user_id
    UNION SELECT n.owner_id, true WHERE n.owner_id IS NOT NULL
  ) reader
  JOIN users u ON u.id = reader.user_id
  WHERE n.id = $1 AND u.state = 'active' AND u.user_type = 'human' AND u.confirmed_at IS NOT NULL
  GROUP BY u.id
  ORDER BY bool_or(reader.direct) DESC, u.last_activity_on DESC NULLS LAST, u.id
  LIMIT ${MAX_READERS}`;

/** Owns every statement about access requests. */
@Injectable()
export class AccessRequestsRepository extends Repository<AccessRequest> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(AccessRequest, dataSource.manager);
  }

  /** Returns one page of the requests for a project or group, oldest first. */
  list(source: SourceKey, paging: Paging): Promise<Page<AccessRequestRow>> {
    const where = new Conditions();
    where.and(`r.${SOURCE_COLUMNS[source.kind]} = ${where.value(source.id)}`);
    return this.queries.page<AccessRequestRow>(
      {
        select: COLUMNS,
        from: TABLES,
        where: String(where),
        orderBy: 'r.id',
        values: where.values,
      },
      paging,
    );
  }

  /** Returns the request of a user or null. */
  findOf(source: SourceKey, userId: number): Promise<AccessRequestRow | null> {
    return this.queries.row<AccessRequestRow>(
      `SELECT ${COLUMNS} FROM ${TABLES}
       WHERE r.${SOURCE_COLUMNS[source.kind]} = $1 AND r.user_id = $2`,
      [source.id, userId],
    );
  }

  /** Returns false if the user has requested access already. */
  async add(manager: EntityManager, source: SourceKey, userId: number): Promise<boolean> {
    const rows = await manager.query<unknown[]>(
      `INSERT INTO access_requests (${SOURCE_COLUMNS[source.kind]}, user_id) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING id`,
      [source.id, userId],
    );
    return rows.length > 0;
  }

  /** Returns false if there is no such request. */
  async deleteOf(manager: EntityManager, source: SourceKey, userId: number): Promise<boolean> {
    const [rows] = await manager.query<[unknown[], number]>(
      `DELETE FROM access_requests WHERE ${SOURCE_COLUMNS[source.kind]} = $1 AND user_id = $2
       RETURNING id`,
      [source.id, userId],
    );
    return rows.length > 0;
  }

  /** Returns those who can approve a request, the most recently active direct members first. */
  findReaders(manager: EntityManager, source: MemberSource): Promise<RequestReader[]> {
    const isProject = source.kind === 'project';
    return manager.query<RequestReader[]>(READERS_SQL, [
      source.namespaceId,
      isProject ? null : source.id,
      isProject ? source.id : null,
      isProject ? ROLES.maintainer : ROLES.owner,
    ]);
  }
}
