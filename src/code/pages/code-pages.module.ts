import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { NotesModule } from '../../notes/notes.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { CodeModule } from '../code.module.js';
import { CodeReading } from './code-reading.service.js';
import { CommitDiscussions } from './commit-discussion.service.js';
import { CommitPagesController } from './commit-pages.controller.js';
import { CommitViews } from './commit-views.service.js';
import { ComparePagesController } from './compare-pages.controller.js';
import { FilePagesController } from './file-pages.controller.js';
import { RefPagesController } from './ref-pages.controller.js';
import { RepositoryOverviews } from './repository-overview.service.js';

/** The pages of a repository. */
@Module({
  imports: [CodeModule, GitModule, NotesModule, ProjectsModule],
  controllers: [
    CommitPagesController,
    ComparePagesController,
    FilePagesController,
    RefPagesController,
  ],
  providers: [CodeReading, CommitDiscussions, CommitViews, RepositoryOverviews],
})
export class CodePagesModule {}
