import { Controller, Get } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { listBranches } from '../../../git/reading/branches.js';
import { listTags } from '../../../git/reading/tags.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { codeAddresses } from './addresses.js';
import { BranchesPage } from './branches.page.js';
import { emptyPage } from './code-frame.js';
import { CodeReading } from './code-reading.service.js';
import { SwitchRefDto } from './file-page.dto.js';
import { RefListDto } from './ref-list.dto.js';
import { TagsPage } from './tags.page.js';

/** Branches and tags of a repository. */
@Controller(atRoot('*project_path/-'))
export class RefPagesController {
  constructor(private readonly code: CodeReading) {}

  /** Lists the branches, those that were changed last first. */
  @Get('branches')
  @ProjectPage('read_code', 'anyone')
  async branches(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { search, sort }: RefListDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'branches');
    const query = { search: search ?? '', sort: sort ?? 'updated_desc' } as const;
    const { perPage: limit, offset } = paging;
    const { branches, total } = await this.code.read(project, (repository) =>
      listBranches(repository, { ...query, offset, limit }),
    );
    const page = { items: branches, total, hasNext: offset + limit < total };
    return pageContext.render(
      BranchesPage({ ...view, page, paging, query }),
      projectInfo(project, 'Branches'),
    );
  }

  /** Lists the tags, the newest first. */
  @Get('tags')
  @ProjectPage('read_code', 'anyone')
  async tags(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { search, sort }: RefListDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'branches');
    const query = { search: search ?? '', sort: sort ?? 'updated_desc' } as const;
    const { perPage: limit, offset } = paging;
    const { tags, total } = await this.code.read(project, (repository) =>
      listTags(repository, { ...query, offset, limit }),
    );
    const page = { items: tags, total, hasNext: offset + limit < total };
    return pageContext.render(
      TagsPage({ ...view, page, paging, query }),
      projectInfo(project, 'Tags'),
    );
  }

  /** Leads to the same place of another branch, tag or commit. */
  @Get('refs/switch')
  @ProjectPage('read_code', 'anyone')
  switch(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { ref, destination, path }: SwitchRefDto,
  ): HttpResponse {
    const addresses = codeAddresses(project);
    const name = ref ? ref : 'HEAD';
    if (destination === 'commits') return pageContext.redirect(addresses.commits(name, path ?? ''));
    const isFile = destination === 'blob' && path;
    return pageContext.redirect(
      isFile ? addresses.blob(name, path) : addresses.tree(name, path ?? ''),
    );
  }
}
