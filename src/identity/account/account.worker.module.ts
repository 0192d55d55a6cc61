import { Module } from '@nestjs/common';
import { SessionsRepository } from '../auth/sessions/sessions.repository.js';
import { AccountJanitor } from './janitor/account-janitor.service.js';
import { MailLinksRepository } from './mail-links.repository.js';

/** Background work on accounts: deleting ended sessions and links. */
@Module({ providers: [AccountJanitor, MailLinksRepository, SessionsRepository] })
export class AccountWorkerModule {}
