import { Controller, Get, Post, Query } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/paths.js';
import { Pages, type Paging } from '../../../../core/pagination/paging.decorator.js';
import { FormInput, given, givenList, refusalText } from '../../../../core/ui/forms.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { Context } from '../../../../core/ui/page-contexts.service.js';
import { projectInfo } from '../../../../workspace/projects/pages/project-frame.js';
import {
  CurrentProject,
  ProjectPage,
} from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { ListParam, TextParam } from '../../../../core/params/params.decorator.js';
import { counted } from '../../../../core/ui/amounts.js';
import { ERROR_STATUSES, type ErrorStatus } from '../../../error-values.js';
import { ErrorStatusService } from '../../../errors/error-status.service.js';
import { doneText } from '../detail/status-menu.js';
import { errorsPath } from '../../../error-paths.js';
import { ErrorListings, listAddressOf, mayChangeErrors } from './error-listings.service.js';
import { ErrorList, StatusTabs } from './error-list.js';
import { ErrorsPage } from './errors.page.js';
import { addressOfTyped } from './errors-query.js';

/** Fields of the form with the selected errors. */
class ChangeErrorsDto {
  @TextParam({ required: true, values: ERROR_STATUSES })
  status: ErrorStatus;

  @ListParam({ of: 'integer' })
  ids?: number[] | null;
}

type Form = Record<string, unknown>;

/** The page with the errors of a project, for its reporters; developers can change several. */
@Controller(atRoot('*project_path/-/error_tracking'))
export class ErrorListPagesController {
  constructor(
    private readonly listings: ErrorListings,
    private readonly changes: ErrorStatusService,
  ) {}

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

  /** Changes the selected errors of the list. */
  @Post('status')
  @ProjectPage('admin_error', 'signed_in')
  async setMany(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const target = await listAddressOf(project, given(form, 'back'));
    try {
      const input = { status: given(form, 'status'), ids: givenList(form, 'error_ids') };
      const { status, ids } = await parseInput(ChangeErrorsDto, input);
      if (!ids?.length)
        return pageContext.redirect(target, { alert: 'Select at least one error.' });
      const change = await this.changes.setStatus(project, ids, { status, viewer });
      const notice = `${counted(change.ids.length, 'error')} ${doneText(status, change)}`;
      return pageContext.redirect(target, { notice });
    } catch (error) {
      return pageContext.redirect(target, { alert: refusalText(error) });
    }
  }
}
