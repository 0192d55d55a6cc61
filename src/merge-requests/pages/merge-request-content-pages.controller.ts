import { Controller, Get, Logger } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { MergeRequestContents } from '../merge-request-contents.service.js';
import type { FoundMergeRequest } from '../sql/merge-request-columns.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { CommitsPage, DiffsPage } from './merge-request-contents.page.js';
import { mergeRequestPlace, placeInfo, type MergeRequestPlace } from './merge-request-place.js';
import { ifReadable } from './readable.js';

/** Commits and changes of a merge request. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid'))
export class MergeRequestContentPagesController {
  private readonly logger = new Logger(MergeRequestContentPagesController.name);

  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly contents: MergeRequestContents,
  ) {}

  /** Lists the commits, newest first. */
  @Get('commits')
  @ProjectPage('read_merge_request', 'anyone')
  async commits(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const found = await this.find(shell, project, iid);
    const reading = this.contents.commits(project, found.row, paging);
    const commits = await ifReadable(reading, this.logger);
    const { csrfToken } = shell;
    const content = CommitsPage({ ...found, csrfToken, commits, paging });
    return shell.page(content, placeInfo(found.place, `Commits of !${iid}`));
  }

  /** Shows what the merge request changes in files. */
  @Get('diffs')
  @ProjectPage('read_merge_request', 'anyone')
  async diffs(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
  ): Promise<Answer> {
    const found = await this.find(shell, project, iid);
    const diff = await ifReadable(this.contents.diffs(project, found.row), this.logger);
    const content = DiffsPage({ ...found, csrfToken: shell.csrfToken, diff });
    return shell.page(content, placeInfo(found.place, `Changes of !${iid}`));
  }

  private async find(
    shell: PageShell,
    project: ProjectRow,
    iid: number,
  ): Promise<{ place: MergeRequestPlace; row: FoundMergeRequest }> {
    const place = mergeRequestPlace(project, shell);
    return { place, row: await this.repository.findVisible(shell.viewer, project.id, iid) };
  }
}
