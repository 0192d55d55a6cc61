import { Controller, Get } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CurrentProject } from '../project-access.guard.js';
import type { ProjectRow } from '../projects.repository.js';
import { projectInfo } from './project-frame.js';
import { ProjectOverviewSections } from './project-overview-sections.service.js';
import { ProjectOverviewPage } from './project-overview.page.js';
import { ProjectPage } from './project-page.guard.js';

/** The first page of a project. */
@Controller(atRoot('*project_path'))
export class ProjectOverviewPagesController {
  constructor(private readonly sections: ProjectOverviewSections) {}

  /** Shows what the project is and how to get its code. */
  @Get()
  @ProjectPage('read_project', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    const sections = await this.sections.of({ project, pageContext });
    return pageContext.render(
      ProjectOverviewPage({ pageContext, project, sections }),
      projectInfo(project),
    );
  }
}
