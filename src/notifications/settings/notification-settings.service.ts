import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import {
  changeOf,
  changesSomething,
  type SettingChange,
  type SettingScope,
  type UpdateNotificationSettingDto,
} from './notification-setting.dto.js';
import {
  NotificationSettingsRepository,
  type SettingRow,
} from './notification-settings.repository.js';

/** The setting to change, with the preconditions of the request. */
interface ChosenSetting {
  userId: number;
  scope: SettingScope;
  preconditions?: Preconditions;
}

/** Attributes of a user's setting, from API parameters or form fields. */
export type SettingInput = UpdateNotificationSettingDto & {
  notification_email?: string | null;
  own_activity?: boolean | null;
  alert_emails?: boolean | null;
};

const FOREIGN_KEY_VIOLATION = '23503';

const NOUNS = { everywhere: 'User', project: 'Project', group: 'Group' } as const;

/** Updates notification settings; users only change their own. */
@Injectable()
export class NotificationSettings {
  constructor(
    private readonly stored: NotificationSettingsRepository,
    private readonly dataSource: DataSource,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Applies all changes or none and returns the whole setting. Throws 400 for a level
   * that does not exist or an address that the user has not confirmed, and 412.
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
    return this.stored.findInScope(userId, scope);
  }

  /** The user's address in its own spelling; null for none. */
  private async ownAddress(userId: number, wanted: string): Promise<string | null> {
    if (wanted === '') return null;
    const own = await this.stored.addresses(userId);
    const found = own.find((email) => email.toLowerCase() === wanted.toLowerCase());
    if (found !== undefined) return found;
    throw new ValidationFailedError({ notification_email: ['is not an email you own'] });
  }

  private async write(setting: ChosenSetting, change: SettingChange): Promise<void> {
    const { userId, scope, preconditions } = setting;
    try {
      await this.dataSource.transaction(async (tx) => {
        if (preconditions?.areGiven) {
          const updatedAt = await this.stored.lockUpdatedAt(tx, userId, scope);
          // A setting without a row has never changed.
          if (updatedAt !== null) preconditions.check(updatedAt);
        }
        if (changesSomething(change)) await this.stored.write(tx, setting, change);
      });
    } catch (error) {
      // Deleted after the guard looked.
      if (isForeignKeyViolation(error)) throw new NotFoundError(NOUNS[scope.kind]);
      throw error;
    }
  }
}

function isForeignKeyViolation(error: unknown): boolean {
  return (
    error instanceof QueryFailedError &&
    (error.driverError as { code?: string }).code === FOREIGN_KEY_VIOLATION
  );
}
