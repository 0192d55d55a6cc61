import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { CurrentProject } from '../project-access.guard.js';
import type { ProjectRow } from '../project-row.js';
import { projectInfo } from './project-frame.js';
import { ProjectOverviewPage } from './project-overview.page.js';
import { ProjectPage } from './project-page.guard.js';

/** The first page of a project. */
@Controller(atRoot('*project_path'))
export class ProjectOverviewPagesController {
  /** Shows what the project is and how to get its code. */
  @Get()
  @ProjectPage('read_project', 'anyone')
  show(@Shell() shell: PageShell, @CurrentProject() project: ProjectRow): Answer {
    return shell.page(ProjectOverviewPage({ shell, project }), projectInfo(project));
  }
}
