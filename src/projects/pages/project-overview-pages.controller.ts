import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
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
  async show(@Shell() shell: PageShell, @CurrentProject() project: ProjectRow): Promise<Answer> {
    const sections = await this.sections.of({ project, shell });
    return shell.page(ProjectOverviewPage({ shell, project, sections }), projectInfo(project));
  }
}
