import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { assertAvatarGiven, AvatarDto } from '../../core/avatars/avatar.dto.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../core/ui/form-errors.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { UpdateProjectDto } from '../project.dto.js';
import { CurrentProject } from '../project-access.guard.js';
import { ProjectUpdateService } from '../project-update.service.js';
import { ProjectDeletionService } from '../project-deletion.service.js';
import { fullPathOf, type ProjectRow, ProjectsRepository } from '../projects.repository.js';
import { projectInfo } from './project-frame.js';
import { ProjectPage } from './project-page.guard.js';
import {
  ProjectSettingsPage,
  valuesOfForm,
  valuesOfProject,
  type ProjectValues,
} from './project-settings.page.js';

/** Changing a project; for its maintainers, and what concerns the whole of it for its owners. */
@Controller(atRoot('*project_path/-'))
export class ProjectSettingsPagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly updates: ProjectUpdateService,
    private readonly deletion: ProjectDeletionService,
  ) {}

  /** Shows the form. */
  @Get('edit')
  @ProjectPage('admin_project', 'signed_in')
  form(@Shell() shell: PageShell, @CurrentProject() project: ProjectRow): Answer {
    return show(shell, project, { values: valuesOfProject(project), errors: null });
  }

  /** Changes the project, or shows the form again with what is wrong. */
  @Post('edit')
  @ProjectPage('admin_project', 'signed_in')
  async update(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<Answer> {
    try {
      await this.updates.update(project, await parseInput(UpdateProjectDto, form), auth);
    } catch (error) {
      return show(shell, project, { values: valuesOfForm(form), errors: formErrors(error) });
    }
    const changed = await this.projects.getById(project.id, auth.viewer?.id ?? null);
    return shell.redirect(`/${fullPathOf(changed)}/-/edit`, { notice: 'Project changed.' });
  }

  /** Replaces or removes the avatar, or shows the page again with what is wrong. */
  @Post('avatar')
  @ProjectPage('admin_project', 'signed_in')
  async changeAvatar(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<Answer> {
    try {
      const dto = await parseInput(AvatarDto, form);
      assertAvatarGiven(dto);
      await this.updates.update(project, dto, auth);
    } catch (error) {
      const values = valuesOfProject(project);
      return show(shell, project, { values, errors: null, avatarErrors: formErrors(error) });
    }
    return shell.redirect(`/${fullPathOf(project)}/-/edit`, { notice: 'Avatar changed.' });
  }

  /** Makes the project read-only for everyone. */
  @Post('archive')
  @ProjectPage('own_project', 'signed_in')
  async archive(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    await this.updates.setArchived(project.id, true, auth);
    return shell.redirect(`/${fullPathOf(project)}/-/edit`, { notice: 'Project archived.' });
  }

  /** Makes an archived project writable again. */
  @Post('unarchive')
  @ProjectPage('own_project', 'signed_in')
  async unarchive(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    await this.updates.setArchived(project.id, false, auth);
    return shell.redirect(`/${fullPathOf(project)}/-/edit`, { notice: 'Project unarchived.' });
  }

  /** Deletes the project with its repository. */
  @Post('delete')
  @ProjectPage('own_project', 'signed_in')
  async delete(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<Answer> {
    try {
      await this.deletion.request(project, auth);
    } catch (error) {
      return show(shell, project, { values: valuesOfProject(project), errors: formErrors(error) });
    }
    const notice = `Project ${fullPathOf(project)} deleted.`;
    return shell.redirect('/dashboard/projects', { notice });
  }
}

function show(
  shell: PageShell,
  project: ProjectRow,
  filled: { values: ProjectValues; errors: FormProblems | null; avatarErrors?: FormProblems },
): Answer {
  const content = ProjectSettingsPage({ shell, project, ...filled });
  const isRefused = filled.errors !== null || filled.avatarErrors !== undefined;
  return shell.page(content, projectInfo(project, 'Settings'), isRefused ? 422 : 200);
}
