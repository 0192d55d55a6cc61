import { Controller, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ClientKeys } from '../../client-keys/client-keys.service.js';
import { errorSettingsPath } from '../../error-paths.js';

/** The buttons that make and delete client keys; for maintainers of the project. */
@Controller(atRoot('*project_path/-/settings/error_tracking/keys'))
export class ClientKeyPagesController {
  constructor(private readonly keys: ClientKeys) {}

  /** Creates a key; shows an error when there are too many. */
  @Post()
  @ProjectPage('admin_error_tracking', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    try {
      await this.keys.create(project, auth);
    } catch (error) {
      const alert = formErrors(error).general.join(' ');
      return pageContext.redirect(errorSettingsPath(project), { alert });
    }
    return pageContext.redirect(errorSettingsPath(project), { notice: 'Key created.' });
  }

  /** Deletes a key; programs that use it are refused from then on. */
  @Post(':id/delete')
  @ProjectPage('admin_error_tracking', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.keys.delete({ projectId: project.id, id }, auth);
    return pageContext.redirect(errorSettingsPath(project), { notice: 'Key deleted.' });
  }
}
