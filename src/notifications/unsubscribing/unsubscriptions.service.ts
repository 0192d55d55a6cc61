import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import { SubscriptionsRepository } from '../../subscriptions/subscriptions.repository.js';
import {
  NotificationSettings,
  type SettingInput,
} from '../settings/notification-settings.service.js';
import type { Unsubscription } from '../../subscriptions/unsubscribe-keys.js';

/** Switches mails off for people who follow the link in one. */
@Injectable()
export class Unsubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: NotificationSettings,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /**
   * No more mails of the thread, unless the user is mentioned; of a project as such: its level
   * becomes `disabled`, or the emails about its alerts end. Nothing is left to do for what was
   * deleted meanwhile.
   */
  async carryOut({ thread, userId }: Unsubscription): Promise<void> {
    if (thread.kind === 'alerts') {
      for (const id of thread.projectIds) await this.set(userId, id, { alert_emails: false });
    } else if (thread.kind === 'project') {
      await this.set(userId, thread.id, { level: 'disabled' });
    } else {
      const change = { userId, thread, subscribed: false };
      await this.dataSource.transaction((tx) => this.subscriptions.put(tx, change));
    }
  }

  private async set(userId: number, projectId: number, change: SettingInput): Promise<void> {
    try {
      await this.settings.update({ userId, scope: { kind: 'project', id: projectId } }, change);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}
