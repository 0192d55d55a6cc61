import { Module } from '@nestjs/common';

/** What outside CI says of commits. */
@Module({})
export class CommitStatusesModule {}
