import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { BranchChangesController } from './branch-changes.controller.js';
import { BranchChanges } from './branch-changes.service.js';
import { CodeModule } from './code.module.js';
import { CommitChangesController } from './commit-changes.controller.js';
import { CommitCommentsController } from './commit-comments.controller.js';
import { CommitCommentsRepository } from './commit-comments.repository.js';
import { CommitComments } from './commit-comments.service.js';
import { CommitCreation } from './commit-creation.service.js';
import { FileChangesController } from './file-changes.controller.js';
import { FileChanges } from './file-changes.service.js';
import { RepositoryChanges } from './repository-changes.service.js';
import { TagChangesController } from './tag-changes.controller.js';
import { TagChanges } from './tag-changes.service.js';

/** Changing branches, tags and files of projects over the API, and comments on commits. */
@Module({
  imports: [CodeModule, GitModule, NotesModule, ProjectsModule],
  controllers: [
    BranchChangesController,
    CommitChangesController,
    CommitCommentsController,
    FileChangesController,
    TagChangesController,
  ],
  providers: [
    BranchChanges,
    CommitComments,
    CommitCommentsRepository,
    CommitCreation,
    FileChanges,
    RepositoryChanges,
    TagChanges,
  ],
  exports: [BranchChanges, CommitComments, CommitCommentsRepository, CommitCreation, TagChanges],
})
export class CodeChangesModule {}
