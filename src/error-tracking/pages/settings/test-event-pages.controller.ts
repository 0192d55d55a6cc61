import { Controller, Post } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { errorPath, errorSettingsPath } from '../../error-paths.js';
import { TestEvents } from './test-events.service.js';

/** Seeing that errors arrive; for maintainers of the project. */
@Controller(atRoot('*project_path/-/settings/error_tracking/test'))
export class TestEventPagesController {
  constructor(private readonly tests: TestEvents) {}

  /** Sends an event and leads to its error. */
  @Post()
  @ProjectPage('admin_error_tracking', 'signed_in')
  async send(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    const id = await this.tests.send(project);
    if (id === null) {
      return pageContext.redirect(errorSettingsPath(project), {
        alert: project.archived
          ? 'An archived project takes no errors.'
          : 'This project collects no errors here: switch it on first.',
      });
    }
    return pageContext.redirect(errorPath(project, id), {
      notice: 'The test event has arrived. This is its error.',
    });
  }
}
