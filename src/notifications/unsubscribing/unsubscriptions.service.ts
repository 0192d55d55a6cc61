import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import { setSubscription } from '../../subscriptions/subscriptions.js';
import { NotificationSettings } from '../settings/notification-settings.service.js';
import type { Unsubscription } from './unsubscribe-keys.js';

/** Switches mails off for people who follow the link in one. */
@Injectable()
export class Unsubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: NotificationSettings,
  ) {}

  /**
   * No more mails of the thread, unless the user is mentioned; of a project as such: its level
   * becomes `disabled`. Nothing is left to do for what was deleted meanwhile.
   */
  async carryOut({ thread, userId }: Unsubscription): Promise<void> {
    if (thread.kind !== 'project') {
      const wish = { userId, thread, subscribed: false };
      await this.dataSource.transaction((tx) => setSubscription(tx, wish));
      return;
    }
    try {
      await this.settings.update(
        { userId, scope: { kind: 'project', id: thread.id } },
        { level: 'disabled' },
      );
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}
