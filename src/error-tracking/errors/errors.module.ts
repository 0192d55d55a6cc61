import { Module } from '@nestjs/common';
import { IssuesModule } from '../../issues/issues.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorEventsFinder } from '../events/error-events-finder.service.js';
import { ErrorChangesController } from './error-changes.controller.js';
import { ErrorChanges } from './error-changes.service.js';
import { ErrorDetailsReader } from './error-details-reader.service.js';
import { ErrorIssueController } from './error-issue.controller.js';
import { ErrorIssues } from './error-issues.service.js';
import { ErrorTags } from './error-tags.service.js';
import { ErrorTrends } from './error-trends.service.js';
import { ErrorsController } from './errors.controller.js';
import { ErrorsFinder } from './errors-finder.service.js';

/** Errors as people work with them: lists, states, trends, tags, issues. */
@Module({
  imports: [IssuesModule, ProjectsModule],
  controllers: [ErrorsController, ErrorChangesController, ErrorIssueController],
  providers: [
    ErrorChanges,
    ErrorDetailsReader,
    ErrorEventsFinder,
    ErrorIssues,
    ErrorTags,
    ErrorTrends,
    ErrorsFinder,
  ],
  exports: [ErrorChanges, ErrorIssues, ErrorTags, ErrorTrends, ErrorsFinder],
})
export class ErrorsModule {}
