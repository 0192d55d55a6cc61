import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { ListMergeRequestsDto } from './merge-request-filters.dto.js';
import { presentMergeRequestElsewhere } from './merge-request.presenter.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import type { MergeRequestInListResponse } from './merge-request.response.js';

/** Merge requests of all projects together. */
@Controller('merge_requests')
@Scopes()
@Ability('signed_in')
export class MergeRequestsController {
  constructor(private readonly repository: MergeRequestsRepository) {}

  /** Lists merge requests of all projects; by default those created by the viewer. */
  @Get()
  async list(
    @Input() filters: ListMergeRequestsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MergeRequestInListResponse[]> {
    const selection = { scope: filters.scope ?? 'created_by_me' };
    const page = await this.repository.list(presentation.viewer, selection, { filters, paging });
    return paging.write(mapPage(page, (row) => presentMergeRequestElsewhere(row, presentation)));
  }
}
