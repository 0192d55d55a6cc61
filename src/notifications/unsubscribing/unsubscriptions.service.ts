import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import { SubscriptionsRepository } from '../../workspace/subscriptions/subscriptions.repository.js';
import {
  NotificationSettings,
  type SettingInput,
} from '../settings/notification-settings.service.js';
import type { Unsubscription } from '../../workspace/subscriptions/unsubscribe-keys.js';

/** Unsubscribes users by the link of an email. */
@Injectable()
export class Unsubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: NotificationSettings,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /**
   * Unsubscribes from the thread, except for mentions; for a project as such sets its level to
   * `disabled`, or ends the emails about its alerts. Does nothing for a thread that was deleted
   * meanwhile.
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
