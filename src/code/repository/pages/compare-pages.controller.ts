import { Controller, Get } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { emptyPage } from './code-frame.js';
import { CodeReading } from './code-reading.service.js';
import { ComparePage } from './compare.page.js';
import { ComparePageDto } from './compare-page.dto.js';
import { compareRevisions } from './comparing.js';

/** Comparisons of two revisions. */
@Controller(atRoot('*project_path/-/compare'))
export class ComparePagesController {
  constructor(private readonly code: CodeReading) {}

  /** Compares two revisions, or shows the form; 404 when one of them does not exist. */
  @Get()
  @ProjectPage('read_code', 'anyone')
  async compare(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() dto: ComparePageDto,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'branches');
    const from = dto.from ? dto.from : (project.defaultBranch ?? 'HEAD');
    const to = dto.to ?? '';
    const comparison =
      to === ''
        ? null
        : await this.code.read(project, (repository) => compareRevisions(repository, from, to));
    const info = projectInfo(project, to === '' ? 'Compare' : `Compare ${from} and ${to}`);
    const isFound = comparison === null || !('unknown' in comparison);
    return pageContext.render(
      ComparePage({ ...view, from, to, comparison }),
      info,
      isFound ? 200 : 404,
    );
  }
}
