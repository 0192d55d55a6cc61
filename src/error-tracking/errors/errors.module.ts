import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { IssuesModule } from '../../issues/issues.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorChangesController } from './error-changes.controller.js';
import { ErrorChanges } from './error-changes.service.js';
import { ErrorDetailsReader } from './error-details-reader.service.js';
import { ErrorIssueController } from './error-issue.controller.js';
import { ErrorIssues } from './error-issues.service.js';
import { ErrorTrends } from './error-trends.service.js';
import { ErrorsController } from './errors.controller.js';

/** Errors as people work with them: lists, states, trends, tags, issues. */
@Module({
  imports: [ErrorRepositoriesModule, IssuesModule, ProjectsModule],
  controllers: [ErrorsController, ErrorChangesController, ErrorIssueController],
  providers: [ErrorChanges, ErrorDetailsReader, ErrorIssues, ErrorTrends],
  exports: [ErrorChanges, ErrorIssues, ErrorTrends],
})
export class ErrorsModule {}
