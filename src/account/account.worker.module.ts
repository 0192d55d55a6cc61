import { Module } from '@nestjs/common';
import { AccountJanitor } from './janitor/account-janitor.service.js';

/** Background work on accounts: forgetting what has ended. */
@Module({ providers: [AccountJanitor] })
export class AccountWorkerModule {}
