import { Module } from '@nestjs/common';

/** The pages about merge requests. */
@Module({})
export class MergeRequestPagesModule {}
