import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { NotesModule } from '../../notes/notes.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { CodeChangesModule } from '../code-changes.module.js';
import { CodeModule } from '../code.module.js';
import { BranchChangePagesController } from './branch-change-pages.controller.js';
import { CodeReading } from './code-reading.service.js';
import { CommitDiscussions } from './commit-discussion.service.js';
import { CommitPagesController } from './commit-pages.controller.js';
import { CommitViews } from './commit-views.service.js';
import { ComparePagesController } from './compare-pages.controller.js';
import { FilePagesController } from './file-pages.controller.js';
import { RefPagesController } from './ref-pages.controller.js';
import { RepositoryOverviews } from './repository-overview.service.js';
import { TagChangePagesController } from './tag-change-pages.controller.js';

/** The pages of a repository. */
@Module({
  imports: [CodeChangesModule, CodeModule, GitModule, NotesModule, ProjectsModule],
  controllers: [
    BranchChangePagesController,
    CommitPagesController,
    ComparePagesController,
    FilePagesController,
    RefPagesController,
    TagChangePagesController,
  ],
  providers: [CodeReading, CommitDiscussions, CommitViews, RepositoryOverviews],
})
export class CodePagesModule {}
