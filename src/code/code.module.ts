import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { BlobsController } from './blobs.controller.js';
import { BranchesFinder } from './branches-finder.service.js';
import { BranchesController } from './branches.controller.js';
import { CodeRepository } from './code.repository.js';
import { CommitsFinder } from './commits-finder.service.js';
import { CommitsReadingController } from './commits-reading.controller.js';
import { ComparisonController } from './comparison.controller.js';
import { Comparisons } from './comparisons.service.js';
import { FilesReader } from './files-reader.service.js';
import { FilesReadingController } from './files-reading.controller.js';
import { ProjectRepository } from './project-repository.service.js';
import { RawFiles } from './raw-files.service.js';
import { TagsController } from './tags.controller.js';
import { TreeController } from './tree.controller.js';

/** Branches, tags, commits and files of projects. */
@Module({
  imports: [GitModule, ProjectsModule],
  controllers: [
    BlobsController,
    BranchesController,
    CommitsReadingController,
    ComparisonController,
    FilesReadingController,
    TagsController,
    TreeController,
  ],
  providers: [
    BranchesFinder,
    CodeRepository,
    CommitsFinder,
    Comparisons,
    FilesReader,
    ProjectRepository,
    RawFiles,
  ],
  exports: [BranchesFinder, CodeRepository, CommitsFinder, ProjectRepository, RawFiles],
})
export class CodeModule {}
