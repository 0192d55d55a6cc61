import { Module } from '@nestjs/common';

/** Milestones of projects. */
@Module({})
export class MilestonesModule {}
