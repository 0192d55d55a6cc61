import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ContainerKey } from '../../core/ui/addresses.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { sendsMailsSql } from '../../workspace/groups/sql/group-list.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/notification-levels.js';
import { projectMailSql } from '../../workspace/subscriptions/sql/email-addresses.js';
import { NotificationSetting } from '../notification-setting.entity.js';
import { DEFAULT_EVENTS } from '../notification-values.js';
import { containersSql } from '../sql/containers.js';
import type { SettingChange, SettingScope } from './notification-setting.dto.js';

/** Rows `s` with a level of the user $1. */
const HAS_LEVEL = `s.user_id = $1 AND s.level <> ${NOTIFICATION_LEVELS.global}`;

const LEVEL_SQL = `coalesce((SELECT s.level FROM notification_settings s
  WHERE s.user_id = $1 AND CASE container.kind WHEN 'group' THEN s.namespace_id ELSE s.project_id END
    = container.id), ${NOTIFICATION_LEVELS.global})`;

const LEVEL_ABOVE_SQL = `(SELECT s.level FROM notification_settings s
  JOIN namespaces a ON a.id = s.namespace_id
  WHERE ${HAS_LEVEL} AND s.namespace_id = ANY(container.above)
  ORDER BY cardinality(a.traversal_ids) DESC LIMIT 1)`;

/** A setting in effect; it can have no row. */
export interface SettingRow {
  /** NOTIFICATION_LEVELS */
  level: number;
  /** Bits of EMAIL_EVENTS. */
  events: number;
  /** The chosen address, as long as it is a confirmed one of the user. */
  email: string | null;
  primaryEmail: string;
  ownActivity: boolean;
  /** Emails about the alerts of a project. */
  alertEmails: boolean;
}

/** A group or project with the levels that apply to its emails. */
export interface NotifiedContainer extends ContainerKey {
  fullPath: string;
  fullName: string;
  /** Its own level, `global` without a row. */
  level: number;
  /** The level of the nearest ancestor with one; null for the global setting. */
  levelAbove: number | null;
}

/** Conditions for the row of a scope; $2 is the id of the project or group, else null. */
const SCOPES = {
  everywhere: {
    row: 'num_nonnulls(s.project_id, s.namespace_id) = 0 AND $2::bigint IS NULL',
    conflict: '(user_id) WHERE num_nonnulls(project_id, namespace_id) = 0',
  },
  project: {
    row: 's.project_id = $2::bigint',
    conflict: '(project_id, user_id) WHERE project_id IS NOT NULL',
  },
  group: {
    row: 's.namespace_id = $2::bigint',
    conflict: '(namespace_id, user_id) WHERE namespace_id IS NOT NULL',
  },
} as const;

/** The confirmed addresses of user `u`, the primary one first. */
const CONFIRMED_SQL = `
  SELECT u.email WHERE u.confirmed_at IS NOT NULL
  UNION ALL
  SELECT e.email FROM user_emails e WHERE e.user_id = u.id AND e.confirmed_at IS NOT NULL`;

/** Owns every statement about notification settings alone. */
@Injectable()
export class NotificationSettingsRepository extends Repository<NotificationSetting> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(NotificationSetting, dataSource.manager);
  }

  /**
   * Returns the user's setting. Without a row the level is `global`, in the global scope
   * `participating`. Throws NotFoundError without the user.
   */
  async findInScope(userId: number, scope: SettingScope): Promise<SettingRow> {
    const row = await this.queries.row<SettingRow>(
      `SELECT coalesce(s.level, $3) AS level, coalesce(s.events, ${DEFAULT_EVENTS}) AS events,
         (SELECT own.email FROM (${CONFIRMED_SQL}) own WHERE own.email = s.email LIMIT 1) AS email,
         u.email AS "primaryEmail", coalesce(s.own_activity, false) AS "ownActivity",
         coalesce(s.alert_emails, true) AS "alertEmails"
       FROM users u
       LEFT JOIN notification_settings s ON s.user_id = u.id AND ${SCOPES[scope.kind].row}
       WHERE u.id = $1`,
      [userId, 'id' in scope ? scope.id : null, levelWithoutRow(scope)],
    );
    if (row === null) throw new NotFoundError('User');
    return row;
  }

  /** Returns the addresses that emails can go to, the primary one first. */
  async addresses(userId: number): Promise<string[]> {
    const rows = await this.queries.rows<{ email: string }>(
      `SELECT own.email FROM users u CROSS JOIN LATERAL (${CONFIRMED_SQL}) own WHERE u.id = $1`,
      [userId],
    );
    return rows.map(({ email }) => email);
  }

  /** Locks a setting until the transaction ends; returns when it changed, null without a row. */
  async lockUpdatedAt(
    manager: EntityManager,
    userId: number,
    scope: SettingScope,
  ): Promise<Date | null> {
    const [row] = await manager.query<{ updatedAt: Date }[]>(
      `SELECT s.updated_at AS "updatedAt" FROM notification_settings s
       WHERE s.user_id = $1 AND ${SCOPES[scope.kind].row} FOR NO KEY UPDATE`,
      [userId, 'id' in scope ? scope.id : null],
    );
    return row?.updatedAt ?? null;
  }

  /** Inserts or updates a setting. */
  async write(
    manager: EntityManager,
    { userId, scope }: { userId: number; scope: SettingScope },
    { level, on, off, email, ownActivity, alertEmails }: SettingChange,
  ): Promise<void> {
    await manager.query(upsertSql(scope), [
      ...[userId, ...idsOf(scope), levelWithoutRow(scope)],
      ...[level === undefined ? null : NOTIFICATION_LEVELS[level], on, off],
      ...[email !== undefined, email ?? null, ownActivity ?? null, alertEmails ?? null],
    ]);
  }

  /** Returns one page of groups and projects by path; `search` is a part of path or name. */
  listContainers(viewer: Viewer, search: string, paging: Paging): Promise<Page<NotifiedContainer>> {
    const where = new Conditions([viewer.id, openFrom(viewer)]);
    if (search !== '') {
      const pattern = where.value(containsPattern(search));
      where.and(`container.path ILIKE ${pattern} OR container.name ILIKE ${pattern}`);
    }
    return this.queries.page<NotifiedContainer>(
      {
        select: `container.kind, container.id, container.path AS "fullPath", container.name AS "fullName",
          ${LEVEL_SQL} AS level, ${LEVEL_ABOVE_SQL} AS "levelAbove"`,
        from: (top) => `(${containersSql(search === '' ? top : '')}) container`,
        where: String(where),
        orderBy: 'lower(container.path), container.kind, container.id',
        values: where.values,
      },
      paging,
    );
  }

  /** Returns the level of the nearest ancestor with one; null for the global setting. */
  async findLevelAbove(userId: number, { kind, id }: ContainerKey): Promise<number | null> {
    const above =
      kind === 'group'
        ? 'SELECT array_remove(n.traversal_ids, n.id) AS above FROM namespaces n WHERE n.id = $2'
        : `SELECT n.traversal_ids AS above FROM projects p
           JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $2`;
    const row = await this.queries.row<{ level: number | null }>(
      `SELECT ${LEVEL_ABOVE_SQL} AS level FROM (${above}) container`,
      [userId, id],
    );
    return row?.level ?? null;
  }

  /** Returns false if emails are off in its own settings or in those of a group above. */
  async sendsMails({ kind, id }: ContainerKey): Promise<boolean> {
    const row = await this.queries.row<{ sendsMails: boolean }>(
      kind === 'group'
        ? `SELECT ${sendsMailsSql('$1::bigint')} AS "sendsMails"`
        : `SELECT ${projectMailSql} AS "sendsMails" FROM projects p
           JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = $1`,
      [id],
    );
    return row?.sendsMails ?? false;
  }
}

function upsertSql({ kind }: SettingScope): string {
  return `INSERT INTO notification_settings AS s
      (user_id, project_id, namespace_id, level, events, email, own_activity, alert_emails)
    VALUES ($1, $2, $3, coalesce($5::smallint, $4::smallint),
      ${DEFAULT_EVENTS} & ~$7::int | $6::int, $9::text, coalesce($10::boolean, false),
      coalesce($11::boolean, true))
    ON CONFLICT ${SCOPES[kind].conflict} DO UPDATE SET
      level = coalesce($5::smallint, s.level),
      events = s.events & ~$7::int | $6::int,
      email = CASE WHEN $8::boolean THEN $9::text ELSE s.email END,
      own_activity = coalesce($10::boolean, s.own_activity),
      alert_emails = coalesce($11::boolean, s.alert_emails),
      updated_at = now()`;
}

function idsOf(scope: SettingScope): [number | null, number | null] {
  if (scope.kind === 'everywhere') return [null, null];
  return scope.kind === 'project' ? [scope.id, null] : [null, scope.id];
}

function levelWithoutRow({ kind }: SettingScope): number {
  return kind === 'everywhere' ? NOTIFICATION_LEVELS.participating : NOTIFICATION_LEVELS.global;
}

function openFrom({ admin, external }: Viewer): number {
  if (admin) return VISIBILITY.private;
  return external ? VISIBILITY.public : VISIBILITY.internal;
}
