import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SpamModule } from '../spam/spam.module.js';
import {
  ProjectSnippetPagesController,
  SnippetNotePagesController,
} from './pages/project-snippet-pages.controller.js';
import { SnippetDiscussions, SnippetPages } from './pages/snippet-pages.service.js';
import { SnippetPagesController } from './pages/snippet-pages.controller.js';
import { ProjectSnippetsController } from './project-snippets.controller.js';
import { SnippetCommitsService, SnippetContentService } from './snippet-content.service.js';
import { SnippetsController } from './snippets.controller.js';
import { SnippetCreationService } from './snippet-creation.service.js';
import { SnippetNotesController } from './snippet-notes.controller.js';
import { SnippetSpamCheck } from './snippet-spam.service.js';
import { SnippetsRepository } from './snippets.repository.js';
import { SnippetNotesService, SnippetsService } from './snippets.service.js';

/** Snippets, personal and of projects, each with a repository of its own. */
@Module({
  imports: [GitModule, NotesModule, ProjectsModule, SpamModule],
  controllers: [
    SnippetsController,
    ProjectSnippetsController,
    SnippetPagesController,
    ProjectSnippetPagesController,
    SnippetNotesController,
    SnippetNotePagesController,
  ],
  providers: [
    SnippetCommitsService,
    SnippetContentService,
    SnippetCreationService,
    SnippetsService,
    SnippetDiscussions,
    SnippetNotesService,
    SnippetPages,
    SnippetSpamCheck,
    SnippetsRepository,
  ],
  exports: [SnippetCreationService, SnippetsRepository],
})
export class SnippetsModule {}
