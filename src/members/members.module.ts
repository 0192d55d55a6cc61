import { Module } from '@nestjs/common';
import { MemberAccess } from './member-access.service.js';
import { MembersFinder } from './members-finder.service.js';
import { MembersService } from './members.service.js';
import { MemberPages } from './pages/member-pages.service.js';

/** Roles, abilities, effective access levels and the memberships they come from. */
@Module({
  providers: [MemberAccess, MemberPages, MembersFinder, MembersService],
  exports: [MemberAccess, MemberPages, MembersFinder, MembersService],
})
export class MembersModule {}
