import { Controller, Get, Query } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Suggestion } from '../../../core/ui/components/text-field.js';
import { given } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { byReference } from '../../../workspace/issues/pages/suggestion-pages.controller.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { MergePreview } from './merge-preview.service.js';
import { StateIcon } from './merge-request-frame.js';
import { mergeRequestPageContext } from './merge-request-page-context.js';

const MOST = 8;

/** Branches and merge requests that complete the fields of forms while someone types. */
@Controller(atRoot('*project_path/-/suggestions'))
export class MergeRequestSuggestionPagesController {
  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly previews: MergePreview,
  ) {}

  /** Merge requests by number or title, newest first. */
  @Get('merge_requests')
  @ProjectPage('read_merge_request', 'anyone')
  async mergeRequests(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    mergeRequestPageContext(project, pageContext);
    const request = { filters: byReference(given(query, 'q')), paging: paging.first(MOST) };
    const selection = { projectId: project.id };
    const { items } = await this.repository.list(pageContext.viewer, selection, request);
    return pageContext.fragment(
      <>
        {items.map((row) => (
          <Suggestion key={row.id} value={String(row.iid)} detail={`!${row.iid}`}>
            <StateIcon row={row} /> {row.title}
          </Suggestion>
        ))}
      </>,
    );
  }

  /** Branches whose name contains the typed text. */
  @Get('branches')
  @ProjectPage('read_code', 'anyone')
  async branches(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
  ): Promise<HttpResponse> {
    mergeRequestPageContext(project, pageContext);
    const typed = given(query, 'q').toLowerCase();
    const names = await this.previews.names(project);
    const found = names.filter((name) => name.toLowerCase().includes(typed)).slice(0, MOST);
    return pageContext.fragment(
      <>
        {found.map((name) => (
          <Suggestion key={name} value={name}>
            {name}
          </Suggestion>
        ))}
      </>,
    );
  }
}
