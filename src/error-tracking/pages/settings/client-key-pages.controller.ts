import { Controller, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { Answer } from '../../../core/http/answer.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { Shell } from '../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { ProjectPage } from '../../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../projects/project-access.guard.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
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
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    try {
      await this.keys.create(project, auth);
    } catch (error) {
      const alert = formErrors(error).general.join(' ');
      return shell.redirect(errorSettingsPath(project), { alert });
    }
    return shell.redirect(errorSettingsPath(project), { notice: 'Key created.' });
  }

  /** Deletes a key; programs that use it are refused from then on. */
  @Post(':id/delete')
  @ProjectPage('admin_error_tracking', 'signed_in')
  async delete(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    await this.keys.delete({ projectId: project.id, id }, auth);
    return shell.redirect(errorSettingsPath(project), { notice: 'Key deleted.' });
  }
}
