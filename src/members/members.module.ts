import { Module } from '@nestjs/common';
import { MemberAccess } from './member-access.service.js';
import { MembersFinder } from './members-finder.service.js';
import { MembersService } from './members.service.js';

/** Roles, abilities, effective access levels and the memberships they come from. */
@Module({
  providers: [MemberAccess, MembersFinder, MembersService],
  exports: [MemberAccess, MembersFinder, MembersService],
})
export class MembersModule {}
