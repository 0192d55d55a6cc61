import { Module } from '@nestjs/common';

/** Merge requests of projects. */
@Module({})
export class MergeRequestsModule {}
