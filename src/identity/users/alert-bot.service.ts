import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InternalUsersRepository } from './internal-users.repository.js';

const ALERT_BOT = {
  username: 'alert-bot',
  name: 'Alert Bot',
  email: 'alert-bot@guildhall.invalid',
  bio: 'Posts automatic updates about alerts.',
};

/** The internal user in whose name the server acts on alerts. */
@Injectable()
export class AlertBot {
  private known: Promise<number> | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly internalUsers: InternalUsersRepository,
  ) {}

  /** Returns its user ID; creates the user on the first call, in a transaction of its own. */
  id(): Promise<number> {
    this.known ??= this.find().catch((error: unknown) => {
      this.known = null;
      throw error;
    });
    return this.known;
  }

  private async find(): Promise<number> {
    const { userId } = await this.dataSource.transaction((manager) =>
      this.internalUsers.ensure(manager, ALERT_BOT),
    );
    return userId;
  }
}
