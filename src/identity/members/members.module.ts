import { Module } from '@nestjs/common';
import { MailModule } from '../../core/mail/mail.module.js';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { AccessRequestsRepository } from './access-requests/access-requests.repository.js';
import { AccessRequestsService } from './access-requests/access-requests.service.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';
import { MemberPages } from './pages/member-pages.service.js';

/** Roles, abilities, effective access levels and the memberships they come from. */
@Module({
  imports: [MailModule, UserRepositoriesModule],
  providers: [
    AccessRequestsRepository,
    AccessRequestsService,
    MemberPages,
    MembersRepository,
    MembersService,
  ],
  exports: [
    AccessRequestsRepository,
    AccessRequestsService,
    MemberPages,
    MembersRepository,
    MembersService,
  ],
})
export class MembersModule {}
