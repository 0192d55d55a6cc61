import { Module } from '@nestjs/common';

/** What the worker does about merge requests. */
@Module({})
export class MergeRequestsWorkerModule {}
