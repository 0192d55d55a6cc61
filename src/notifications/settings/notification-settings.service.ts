import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import { DEFAULT_EVENTS } from '../notification-values.js';
import { NOTIFICATION_LEVELS } from '../../subscriptions/notification-levels.js';
import type { UpdateNotificationSettingDto } from './dto/update-notification-setting.dto.js';
import {
  changeOf,
  changesSomething,
  type SettingChange,
  type SettingScope,
} from './setting-change.js';

/** A setting as it holds, whether or not there is a row of it. */
export interface SettingRow {
  /** NOTIFICATION_LEVELS */
  level: number;
  /** Bits of EMAIL_EVENTS. */
  events: number;
  /** The address that was chosen and is still a confirmed one of the user. */
  email: string | null;
  primaryEmail: string;
  ownActivity: boolean;
  /** Emails about the alerts of a project. */
  alertEmails: boolean;
}

/** The setting to change, with the preconditions of the request. */
export interface ChosenSetting {
  userId: number;
  scope: SettingScope;
  preconditions?: Preconditions;
}

/** The choices of a user that parameters of the API, or fields of a page, may ask for. */
export type SettingInput = UpdateNotificationSettingDto & {
  notification_email?: string | null;
  own_activity?: boolean | null;
  alert_emails?: boolean | null;
};

const FOREIGN_KEY_VIOLATION = '23503';

const NOUNS = { everywhere: 'User', project: 'Project', group: 'Group' } as const;

/** By what the row of a scope is known; $2 = the id of the project or group, else null. */
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

/** Addresses that user `u` is known to read. */
const CONFIRMED_SQL = `
  SELECT u.email WHERE u.confirmed_at IS NOT NULL
  UNION ALL
  SELECT e.email FROM user_emails e WHERE e.user_id = u.id AND e.confirmed_at IS NOT NULL`;

/** Notification settings of people, each changed by themselves only. */
@Injectable()
export class NotificationSettings {
  constructor(
    private readonly sql: Sql,
    private readonly dataSource: DataSource,
    private readonly settings: InstanceSettings,
  ) {}

  /** The user's setting; a missing row says `global`, everywhere else `participating`. */
  async find(userId: number, scope: SettingScope): Promise<SettingRow> {
    const row = await this.sql.row<SettingRow>(
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

  /**
   * Changes what is given, all of it or nothing, and answers the whole setting. Throws 400 for a
   * level that does not exist or an address that the user has not confirmed, and 412.
   */
  async update(setting: ChosenSetting, input: SettingInput): Promise<SettingRow> {
    const { userId, scope } = setting;
    const change = changeOf(input, this.settings.values.tier);
    const { notification_email: email, own_activity: ownActivity } = input;
    const { alert_emails: alertEmails } = input;
    if (email !== undefined) change.email = await this.ownAddress(userId, email ?? '');
    if (typeof ownActivity === 'boolean') change.ownActivity = ownActivity;
    if (typeof alertEmails === 'boolean') change.alertEmails = alertEmails;
    await this.write(setting, change);
    return this.find(userId, scope);
  }

  /** Addresses that mails may go to, the primary one first. */
  async addresses(userId: number): Promise<string[]> {
    const rows = await this.sql.rows<{ email: string }>(
      `SELECT own.email FROM users u CROSS JOIN LATERAL (${CONFIRMED_SQL}) own WHERE u.id = $1`,
      [userId],
    );
    return rows.map(({ email }) => email);
  }

  /** The user's address in its own spelling; null for none. */
  private async ownAddress(userId: number, wanted: string): Promise<string | null> {
    if (wanted === '') return null;
    const own = await this.addresses(userId);
    const found = own.find((email) => email.toLowerCase() === wanted.toLowerCase());
    if (found !== undefined) return found;
    throw new ValidationFailedError({ notification_email: ['is not an email you own'] });
  }

  private async write(setting: ChosenSetting, change: SettingChange): Promise<void> {
    const { userId, scope } = setting;
    const { level, on, off, email, ownActivity, alertEmails } = change;
    const values = [
      ...[userId, ...idsOf(scope), levelWithoutRow(scope)],
      ...[level === undefined ? null : NOTIFICATION_LEVELS[level], on, off],
      ...[email !== undefined, email ?? null, ownActivity ?? null, alertEmails ?? null],
    ];
    try {
      await this.dataSource.transaction(async (tx) => {
        await checkUnmodified(tx, setting);
        if (changesSomething(change)) await tx.query(upsertSql(scope), values);
      });
    } catch (error) {
      // Deleted between the look of the guard and ours.
      if (isForeignKeyViolation(error)) throw new NotFoundError(NOUNS[scope.kind]);
      throw error;
    }
  }
}

/** Checks the preconditions; a setting without a row has never changed. */
async function checkUnmodified(
  tx: EntityManager,
  { userId, scope, preconditions }: ChosenSetting,
): Promise<void> {
  if (!preconditions?.areGiven) return;
  const [row] = await tx.query<{ updatedAt: Date }[]>(
    `SELECT s.updated_at AS "updatedAt" FROM notification_settings s
     WHERE s.user_id = $1 AND ${SCOPES[scope.kind].row} FOR NO KEY UPDATE`,
    [userId, 'id' in scope ? scope.id : null],
  );
  if (row !== undefined) preconditions.check(row.updatedAt);
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

function isForeignKeyViolation(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    (error.driverError as { code?: string }).code === FOREIGN_KEY_VIOLATION
  );
}
