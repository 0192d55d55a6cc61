import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { NotesModule } from '../../workspace/notes/notes.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { BlobsController } from './blobs.controller.js';
import { BranchChangesController } from './branch-changes.controller.js';
import { BranchChanges } from './branch-changes.service.js';
import { BranchesFinder } from './branches-finder.service.js';
import { BranchesController } from './branches.controller.js';
import { CodeRepository } from './code.repository.js';
import { CommitChangesController } from './commit-changes.controller.js';
import { CommitCommentsController } from './commit-comments.controller.js';
import { CommitCommentsRepository } from './commit-comments.repository.js';
import { CommitComments } from './commit-comments.service.js';
import { CommitCreation } from './commit-creation.service.js';
import { CommitsFinder } from './commits-finder.service.js';
import { CommitsReadingController } from './commits-reading.controller.js';
import { ComparisonController } from './comparison.controller.js';
import { Comparisons } from './comparisons.service.js';
import { FileChangesController } from './file-changes.controller.js';
import { FileChanges } from './file-changes.service.js';
import { FilesReader } from './files-reader.service.js';
import { FilesReadingController } from './files-reading.controller.js';
import { BranchChangePagesController } from './pages/branch-change-pages.controller.js';
import { CodeReading } from './pages/code-reading.service.js';
import { CommitDiscussions } from './pages/commit-discussion.service.js';
import { CommitPagesController } from './pages/commit-pages.controller.js';
import { CommitPageRenderer } from './pages/commit-page-renderer.service.js';
import { ComparePagesController } from './pages/compare-pages.controller.js';
import { FilePagesController } from './pages/file-pages.controller.js';
import { RefPagesController } from './pages/ref-pages.controller.js';
import { RepositoryOverviews } from './pages/repository-overview.service.js';
import { TagChangePagesController } from './pages/tag-change-pages.controller.js';
import { ProjectRepository } from './project-repository.service.js';
import { RawFiles } from './raw-files.service.js';
import { RepositoryChanges } from './repository-changes.service.js';
import { TagChangesController } from './tag-changes.controller.js';
import { TagChanges } from './tag-changes.service.js';
import { TagsController } from './tags.controller.js';
import { TreeController } from './tree.controller.js';

/** Branches, tags, commits and files of projects, with their pages, and comments on commits. */
@Module({
  imports: [GitModule, NotesModule, ProjectsModule],
  controllers: [
    BranchChangePagesController,
    CommitPagesController,
    ComparePagesController,
    FilePagesController,
    RefPagesController,
    TagChangePagesController,
    BlobsController,
    BranchesController,
    CommitsReadingController,
    ComparisonController,
    FilesReadingController,
    TagsController,
    TreeController,
    BranchChangesController,
    CommitChangesController,
    CommitCommentsController,
    FileChangesController,
    TagChangesController,
  ],
  providers: [
    BranchChanges,
    BranchesFinder,
    CodeReading,
    CodeRepository,
    CommitComments,
    CommitCommentsRepository,
    CommitCreation,
    CommitDiscussions,
    CommitsFinder,
    CommitPageRenderer,
    Comparisons,
    FileChanges,
    FilesReader,
    ProjectRepository,
    RawFiles,
    RepositoryChanges,
    RepositoryOverviews,
    TagChanges,
  ],
  exports: [
    BranchChanges,
    BranchesFinder,
    CodeRepository,
    CommitComments,
    CommitCommentsRepository,
    CommitCreation,
    CommitsFinder,
    ProjectRepository,
    RawFiles,
    TagChanges,
  ],
})
export class CodeModule {}
