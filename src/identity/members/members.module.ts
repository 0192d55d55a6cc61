import { Module } from '@nestjs/common';
import { UserRepositoriesModule } from '../users/user-repositories.module.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';
import { MemberPages } from './pages/member-pages.service.js';

/** Roles, abilities, effective access levels and the memberships they come from. */
@Module({
  imports: [UserRepositoriesModule],
  providers: [MemberPages, MembersRepository, MembersService],
  exports: [MemberPages, MembersRepository, MembersService],
})
export class MembersModule {}
