import { Controller, Get, Query } from '@nestjs/common';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { TextParam } from '../../../../core/params/params.decorator.js';
import { filledIn } from '../../../../core/ui/form-input.decorator.js';
import { Context } from '../../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { ProjectPage } from '../../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorInfo, ErrorPageRenderer } from './error-page-renderer.service.js';
import { ErrorPage } from './error.page.js';
import { TREND_SPANS, type TrendSpan } from './trend-chart.js';

/** Query parameters of an error page. */
class ErrorPageDto {
  /** Time span of the chart. */
  @TextParam({ values: TREND_SPANS })
  span?: TrendSpan | null;
}

/** The page of an error; for the project's reporters. */
@Controller(atRoot('*project_path/-/error_tracking/:error_id/details'))
export class ErrorPagesController {
  constructor(private readonly views: ErrorPageRenderer) {}

  /** Shows an error with its newest event. */
  @Get()
  @ProjectPage('read_error', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Query() query: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const { span } = await parseInput(ErrorPageDto, filledIn(query));
    const view = await this.views.read(pageContext, { project, id }, span ?? 'day');
    return pageContext.render(ErrorPage(view), errorInfo(project, view.error));
  }
}
