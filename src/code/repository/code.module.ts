import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { NotesModule } from '../../workspace/notes/notes.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { BranchesController } from './branches.controller.js';
import { BranchesService } from './branches.service.js';
import { CodeRepository } from './code.repository.js';
import { CommitCommentsRepository } from './commit-comments.repository.js';
import { CommitComments } from './commit-comments.service.js';
import { CommitCreation } from './commit-creation.service.js';
import { CommitsController, CommitCommentsController } from './commits.controller.js';
import { CommitsService } from './commits.service.js';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';
import { CommitPagesController } from './pages/commit-pages.controller.js';
import { ComparePagesController } from './pages/compare-pages.controller.js';
import { FilePagesController } from './pages/file-pages.controller.js';
import { RefPagesController } from './pages/ref-pages.controller.js';
import { RepositoryOverviews } from './pages/repository-overview.service.js';
import { ProjectRepository } from './project-repository.service.js';
import { RawFiles } from './raw-files.service.js';
import { ProjectRepositoryWriter } from './project-repository-writer.service.js';
import { RepositoryController } from './repository.controller.js';
import { TagsController } from './tags.controller.js';
import { TagsService } from './tags.service.js';

/** Branches, tags, commits and files of projects, with their pages, and comments on commits. */
@Module({
  imports: [GitModule, NotesModule, ProjectsModule],
  controllers: [
    CommitPagesController,
    ComparePagesController,
    FilePagesController,
    RefPagesController,
    BranchesController,
    CommitsController,
    CommitCommentsController,
    FilesController,
    RepositoryController,
    TagsController,
  ],
  providers: [
    BranchesService,
    CodeRepository,
    CommitComments,
    CommitCommentsRepository,
    CommitCreation,
    CommitsService,
    FilesService,
    ProjectRepository,
    RawFiles,
    ProjectRepositoryWriter,
    RepositoryOverviews,
    TagsService,
  ],
  exports: [CodeRepository, CommitsService, ProjectRepository],
})
export class CodeModule {}
