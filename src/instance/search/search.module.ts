import { Module } from '@nestjs/common';
import { MergeRequestsModule } from '../../code/merge-requests/merge-requests.module.js';
import { UserRepositoriesModule } from '../../identity/users/user-repositories.module.js';
import { GroupsModule } from '../../workspace/groups/groups.module.js';
import { IssuesModule } from '../../workspace/issues/issues.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { SnippetsModule } from '../../workspace/snippets/snippets.module.js';
import { SearchPagesController } from './pages/search-pages.controller.js';
import { SearchController } from './search.controller.js';
import { SearchRepository } from './search.repository.js';

/** Search over names and titles, with its page and the command palette. */
@Module({
  imports: [
    GroupsModule,
    IssuesModule,
    MergeRequestsModule,
    ProjectsModule,
    SnippetsModule,
    UserRepositoriesModule,
  ],
  controllers: [SearchPagesController, SearchController],
  providers: [SearchRepository],
})
export class SearchModule {}
