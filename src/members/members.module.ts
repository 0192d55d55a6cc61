import { Module } from '@nestjs/common';
import { MemberAccess } from './member-access.service.js';

/** Roles, abilities and effective access levels. */
@Module({ providers: [MemberAccess], exports: [MemberAccess] })
export class MembersModule {}
