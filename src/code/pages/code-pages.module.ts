import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { NotesModule } from '../../notes/notes.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { CodeReading } from './code-reading.service.js';
import { CommitDiscussions } from './commit-discussion.service.js';
import { CommitPagesController } from './commit-pages.controller.js';
import { CommitViews } from './commit-views.service.js';

/** The pages of a repository. */
@Module({
  imports: [GitModule, NotesModule, ProjectsModule],
  controllers: [CommitPagesController],
  providers: [CodeReading, CommitDiscussions, CommitViews],
})
export class CodePagesModule {}
