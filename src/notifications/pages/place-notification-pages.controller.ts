import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import { UpdateOwnNotificationSettingDto } from '../settings/notification-setting.dto.js';
import { ProjectFormDto } from './notification-page.dto.js';
import type { NamedPageContext } from './place-setting.page.js';
import { PlaceSettingPages } from './place-setting-pages.service.js';

/** Pages with the notification setting of a single group or project. */
@Controller(atRoot('-/profile/notifications'))
@Page('signed_in')
export class PlaceNotificationPagesController {
  constructor(private readonly pages: PlaceSettingPages) {}

  /** Shows the viewer's setting for a project. */
  @Get('projects/:id')
  @ProjectAbility('read_project')
  showProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): Promise<HttpResponse> {
    return this.pages.show(pageContext, placeOfProject(project));
  }

  /** Changes the viewer's setting for a project. */
  @Post('projects/:id')
  @ProjectAbility('read_project')
  updateProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const place = placeOfProject(project);
    return this.pages.update(pageContext, place, { form, type: ProjectFormDto });
  }

  /** Shows the viewer's setting for a group. */
  @Get('groups/:id')
  @GroupAbility('read_group')
  showGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
  ): Promise<HttpResponse> {
    return this.pages.show(pageContext, { kind: 'group', ...group });
  }

  /** Changes the viewer's setting for a group, which can name an address of its own. */
  @Post('groups/:id')
  @GroupAbility('read_group')
  updateGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const place: NamedPageContext = { kind: 'group', ...group };
    return this.pages.update(pageContext, place, { form, type: UpdateOwnNotificationSettingDto });
  }
}

function placeOfProject(project: ProjectRow): NamedPageContext {
  const fullName = `${project.namespace.fullName} / ${project.name}`;
  return { kind: 'project', id: project.id, fullName, fullPath: fullPathOf(project) };
}
