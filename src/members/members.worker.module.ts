import { Module } from '@nestjs/common';
import { MembersRepository } from './members.repository.js';
import { ExpiredMemberships } from './worker/expired-memberships.service.js';
import { MembershipRounds } from './worker/membership-rounds.service.js';

/** Background work on memberships: ending those that are over. */
@Module({ providers: [ExpiredMemberships, MembershipRounds, MembersRepository] })
export class MembersWorkerModule {}
