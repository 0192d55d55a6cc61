import { Module } from '@nestjs/common';
import { CodeModule } from '../repository/code.module.js';
import { GitModule } from '../../git/git.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { CommitResolver } from './commit-resolver.service.js';
import { CommitStatusReports } from './commit-status-reports.service.js';
import { CommitStatusesController } from './commit-statuses.controller.js';
import { CommitStatusesRepository } from './commit-statuses.repository.js';
import { PipelineListeners } from './pipeline-listeners.service.js';
import { PipelinesRepository } from './pipelines.repository.js';
import { PipelinesService } from './pipelines.service.js';
import { SkippedPipelines } from './skipped-pipelines.service.js';

/** Commit statuses of external CI. */
@Module({
  imports: [CodeModule, GitModule, ProjectsModule],
  controllers: [CommitStatusesController],
  providers: [
    CommitResolver,
    CommitStatusReports,
    CommitStatusesRepository,
    PipelineListeners,
    PipelinesRepository,
    PipelinesService,
    SkippedPipelines,
  ],
  exports: [PipelineListeners, PipelinesRepository],
})
export class CommitStatusesModule {}
