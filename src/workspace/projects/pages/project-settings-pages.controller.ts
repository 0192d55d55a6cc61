import { Controller, Get, Post } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { assertAvatarGiven, AvatarDto } from '../../../core/avatars/avatar.dto.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { assertPathConfirmed } from '../../../core/ui/components/confirm-button.js';
import { formErrors, FormInput, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { SUGGESTED_LOCATIONS } from '../../groups/pages/container-form.js';
import { VisibleNamespacesRepository } from '../../groups/visible-namespaces.repository.js';
import { CurrentProject, ProjectPage } from '../project-access.guard.js';
import { UpdateProjectDto } from '../project.dto.js';
import { ProjectUpdateService } from '../project-update.service.js';
import { fullPathOf, type ProjectRow, ProjectsRepository } from '../projects.repository.js';
import { ProjectDeletionService } from '../projects.service.js';
import { projectInfo } from './project-frame.js';
import {
  ProjectSettingsPage,
  valuesOfForm,
  valuesOfProject,
  type ProjectValues,
} from './project-settings.page.js';

interface FilledForm {
  values: ProjectValues;
  errors: FormProblems | null;
  avatarErrors?: FormProblems;
}

/** Changing a project; for its maintainers, and what concerns the whole of it for its owners. */
@Controller(atRoot('*project_path/-'))
export class ProjectSettingsPagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly updates: ProjectUpdateService,
    private readonly deletion: ProjectDeletionService,
    private readonly namespaces: VisibleNamespacesRepository,
  ) {}

  @Get('edit')
  @ProjectPage('admin_project', 'signed_in')
  form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    return this.show(pageContext, project, { values: valuesOfProject(project), errors: null });
  }

  @Post('edit')
  @ProjectPage('admin_project', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      await this.updates.update(project, await parseInput(UpdateProjectDto, form), auth);
    } catch (error) {
      return this.show(pageContext, project, {
        values: valuesOfForm(form),
        errors: formErrors(error),
      });
    }
    const changed = await this.projects.getById(project.id, auth.viewer?.id ?? null);
    return pageContext.redirect(`/${fullPathOf(changed)}/-/edit`, { notice: 'Project updated.' });
  }

  @Post('avatar')
  @ProjectPage('admin_project', 'signed_in')
  async changeAvatar(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(AvatarDto, form);
      assertAvatarGiven(dto);
      await this.updates.update(project, dto, auth);
    } catch (error) {
      const values = valuesOfProject(project);
      return this.show(pageContext, project, {
        values,
        errors: null,
        avatarErrors: formErrors(error),
      });
    }
    return pageContext.redirect(`/${fullPathOf(project)}/-/edit`, { notice: 'Avatar updated.' });
  }

  /** Makes the project read-only for everyone. */
  @Post('archive')
  @ProjectPage('own_project', 'signed_in')
  async archive(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.updates.setArchived(project.id, true, auth);
    return pageContext.redirect(`/${fullPathOf(project)}/-/edit`, { notice: 'Project archived.' });
  }

  /** Makes an archived project writable again. */
  @Post('unarchive')
  @ProjectPage('own_project', 'signed_in')
  async unarchive(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
  ): Promise<HttpResponse> {
    await this.updates.setArchived(project.id, false, auth);
    return pageContext.redirect(`/${fullPathOf(project)}/-/edit`, {
      notice: 'Project unarchived.',
    });
  }

  /** Deletes the project with its repository. */
  @Post('delete')
  @ProjectPage('own_project', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      assertPathConfirmed(form, fullPathOf(project));
      await this.deletion.request(project, auth);
    } catch (error) {
      return this.show(pageContext, project, {
        values: valuesOfProject(project),
        errors: formErrors(error),
      });
    }
    const notice = `Project ${fullPathOf(project)} deleted.`;
    return pageContext.redirect('/dashboard/projects', { notice });
  }

  private async show(
    pageContext: PageContext,
    project: ProjectRow,
    filled: FilledForm,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const isOwner = canInProject('own_project', { ...project, viewer });
    const choices = isOwner && viewer !== null ? await this.namespaces.findChoices(viewer) : [];
    const locations = choices
      .filter(({ id }) => id !== project.namespaceId)
      .slice(0, SUGGESTED_LOCATIONS)
      .map(({ fullPath }) => fullPath);
    const content = ProjectSettingsPage({ pageContext, project, locations, ...filled });
    const isRefused = filled.errors !== null || filled.avatarErrors !== undefined;
    return pageContext.render(content, projectInfo(project, 'Settings'), isRefused ? 422 : 200);
  }
}
