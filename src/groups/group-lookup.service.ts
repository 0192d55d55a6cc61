import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { IdOrPath } from '../core/params/ids.js';
import { Sql } from '../core/sql/sql.service.js';
import { GROUP_FROM, groupColumns, type GroupRow } from './group-row.js';

/** A group and whether it was found by a path that it no longer has. */
export interface FoundGroup {
  group: GroupRow;
  moved: boolean;
}

const SELECT = `SELECT ${groupColumns('$1')} FROM ${GROUP_FROM} WHERE NOT g.pending_delete AND `;

/** Finds groups by id or full path; whether the asker may see them is the caller's question. */
@Injectable()
export class GroupLookup {
  constructor(private readonly sql: Sql) {}

  /** null when there is none; groups that are being deleted count as gone. */
  async find(wanted: IdOrPath, userId: number | null): Promise<FoundGroup | null> {
    if ('id' in wanted) return found(await this.byId(wanted.id, userId), false);
    const { path } = wanted;
    const group = await this.row('lower(n.full_path) = lower($2)', [userId, path]);
    if (group !== null) return { group, moved: false };
    const redirect = `g.id = (SELECT r.namespace_id FROM route_redirects r
      WHERE lower(r.path) = lower($2))`;
    return found(await this.row(redirect, [userId, path]), true);
  }

  byId(id: number, userId: number | null): Promise<GroupRow | null> {
    return this.row('g.id = $2', [userId, id]);
  }

  /** As `byId`; throws 404 when it is gone. */
  async get(id: number, userId: number | null): Promise<GroupRow> {
    const group = await this.byId(id, userId);
    if (group === null) throw new NotFoundError('Group');
    return group;
  }

  private row(condition: string, values: unknown[]): Promise<GroupRow | null> {
    return this.sql.row<GroupRow>(SELECT + condition, values);
  }
}

function found(group: GroupRow | null, moved: boolean): FoundGroup | null {
  return group === null ? null : { group, moved };
}
