import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { ListIssuesDto } from './issue-filters.dto.js';
import { presentIssueElsewhere } from './issue.presenter.js';
import { IssuesRepository } from './issues.repository.js';
import type { IssueInListResponse } from './issue.response.js';

/** Issues of all projects together. */
@Controller('issues')
@Scopes()
@Ability('signed_in')
export class IssuesController {
  constructor(private readonly issues: IssuesRepository) {}

  /** Lists issues of all projects; by default those created by the viewer. */
  @Get()
  async list(
    @Input() filters: ListIssuesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<IssueInListResponse[]> {
    const selection = { scope: filters.scope ?? 'created_by_me' };
    const page = await this.issues.list(presentation.viewer, selection, { filters, paging });
    return paging.write(mapPage(page, (row) => presentIssueElsewhere(row, presentation)));
  }
}
