import { Module } from '@nestjs/common';
import { MergeRequestPushesModule } from './merge-request-pushes.module.js';

/** What the worker does about merge requests: it records writes whose process died. */
@Module({ imports: [MergeRequestPushesModule] })
export class MergeRequestsWorkerModule {}
