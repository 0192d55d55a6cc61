import { Module } from '@nestjs/common';

/** The pages about milestones. */
@Module({})
export class MilestonePagesModule {}
