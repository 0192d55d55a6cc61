import { Module } from '@nestjs/common';
import { MembersRepository } from './members.repository.js';
import { ExpiredMemberships } from './worker/expired-memberships.service.js';

/** Background work on memberships: ending those that are over. */
@Module({ providers: [ExpiredMemberships, MembersRepository] })
export class MembersWorkerModule {}
