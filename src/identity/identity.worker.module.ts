import { Module } from '@nestjs/common';
import { AccountJanitor } from './account/account-janitor.service.js';
import { SessionsRepository } from './auth/sessions/sessions.repository.js';
import { MailLinksRepository } from './account/mail-links.repository.js';
import { MembersRepository } from './members/members.repository.js';
import { ExpiredMemberships } from './members/worker/expired-memberships.service.js';

/** Background work on accounts and memberships: deletes expired sessions, links and memberships. */
@Module({
  providers: [
    AccountJanitor,
    ExpiredMemberships,
    MailLinksRepository,
    MembersRepository,
    SessionsRepository,
  ],
})
export class IdentityWorkerModule {}
