import { Controller, Get, Query } from '@nestjs/common';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../../core/pagination/paging.decorator.js';
import { Context } from '../../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { projectInfo } from '../../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorsPath } from '../../../error-paths.js';
import { ErrorListings, mayChangeErrors } from './error-listings.service.js';
import { ErrorList, StatusTabs } from './error-list.js';
import { ErrorsPage } from './errors.page.js';
import { addressOfTyped } from './errors-query.js';

/** The page with the errors of a project, and its live part; for its reporters. */
@Controller(atRoot('*project_path/-/error_tracking'))
export class ErrorListPagesController {
  constructor(private readonly listings: ErrorListings) {}

  /** Lists the unresolved errors, or those that the filters leave. */
  @Get()
  @ProjectPage('read_error', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const typed = addressOfTyped(errorsPath(project), query);
    if (typed !== null) return pageContext.redirect(typed);
    const [listing, known, tracking] = await Promise.all([
      this.listings.read(project.id, query, paging),
      this.listings.known(project.id),
      this.listings.tracking(project.id),
    ]);
    const page = ErrorsPage({ pageContext, project, listing, known, tracking });
    const count = listing.errors.total;
    return pageContext.render(page, { ...projectInfo(project, 'Errors'), count });
  }

  /** Shows the live part of that page. */
  @Get('live')
  @ProjectPage('read_error', 'signed_in')
  async live(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listings.read(project.id, query, paging);
    const mayChange = mayChangeErrors(project, pageContext.viewer);
    return pageContext.fragment(
      <>
        <ErrorList {...listing} project={project} mayChange={mayChange} />
        <StatusTabs path={errorsPath(project)} listing={listing} isLive />
      </>,
    );
  }
}
