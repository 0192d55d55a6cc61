import { Module } from '@nestjs/common';
import { CodeModule } from '../repository/code.module.js';
import { GitModule } from '../../git/git.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { CommitStatusesService } from './commit-statuses.service.js';
import { CommitStatusesController } from './commit-statuses.controller.js';
import { CommitStatusesRepository } from './commit-statuses.repository.js';
import { PipelineListeners, PipelinesService, SkippedPipelines } from './pipelines.service.js';
import { PipelinesRepository } from './pipelines.repository.js';

/** Commit statuses of external CI. */
@Module({
  imports: [CodeModule, GitModule, ProjectsModule],
  controllers: [CommitStatusesController],
  providers: [
    CommitStatusesRepository,
    CommitStatusesService,
    PipelineListeners,
    PipelinesRepository,
    PipelinesService,
    SkippedPipelines,
  ],
  exports: [PipelineListeners, PipelinesRepository],
})
export class CommitStatusesModule {}
