import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input, parseInput } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { formErrors, FormInput, type FormProblems } from '../../core/ui/forms.js';
import { NOTIFICATIONS_PATH } from '../../core/ui/addresses.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { alertSettingsPath } from '../../workspace/projects/pages/project-frame.js';
import { NotificationSettingsRepository } from '../settings/notification-settings.repository.js';
import { NotificationSettings } from '../settings/notification-settings.service.js';
import { ContainerSettingPages, type NamedContainer } from './container-setting-pages.service.js';
import { previewedLevel } from './levels.js';
import { NotificationsPage } from './notifications.page.js';
import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import {
  UpdateNotificationSettingDto,
  UpdateOwnNotificationSettingDto,
} from '../settings/notification-setting.dto.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { canInProject } from '../../identity/members/abilities.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';

/** Query parameters of the page of a group or project. */
class ContainerPageDto {
  /** Level that the table of emails shows. */
  @TextParam()
  preview?: string | null;
}

/** Query parameters of the page. */
class NotificationPageDto extends ContainerPageDto {
  /** Part of the name or path of a group or project. */
  @TextParam()
  search?: string | null;
}

/** The form of the global setting. */
class EverywhereFormDto extends UpdateOwnNotificationSettingDto {
  /** Notifies the user about their own activity. */
  @BooleanParam()
  own_activity?: boolean | null;
}

/** The form of a project's setting. */
class ProjectFormDto extends UpdateNotificationSettingDto {
  /** Turns the alert emails of the project on or off. */
  @BooleanParam()
  alert_emails?: boolean | null;
}

const EVERYWHERE = { kind: 'everywhere' } as const;

/** List of a page, and the errors of the form on it. */
interface Listing {
  search: string;
  preview?: string | null | undefined;
  paging: Paging;
  errors?: FormProblems;
}

/** Notification settings page. */
@Controller(atRoot('-/profile/notifications'))
@Page('signed_in')
export class NotificationPagesController {
  constructor(
    private readonly notifications: NotificationSettings,
    private readonly stored: NotificationSettingsRepository,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows what holds everywhere, and the groups and projects of the viewer. */
  @Get()
  show(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { search, preview }: NotificationPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.page(pageContext, viewer, { search: search ?? '', preview, paging });
  }

  /** Changes what holds everywhere, or shows the page again with what is wrong. */
  @Post()
  async update(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(EverywhereFormDto, form);
      await this.notifications.update({ userId: viewer.id, scope: EVERYWHERE }, dto);
    } catch (error) {
      return this.page(pageContext, viewer, { search: '', paging, errors: formErrors(error) });
    }
    return pageContext.redirect(NOTIFICATIONS_PATH, { notice: 'Notification settings saved.' });
  }

  private async page(
    pageContext: PageContext,
    viewer: Viewer,
    { search, preview, paging, errors }: Listing,
  ): Promise<HttpResponse> {
    const [setting, addresses, containers] = await Promise.all([
      this.stored.findInScope(viewer.id, EVERYWHERE),
      this.stored.addresses(viewer.id),
      this.stored.listContainers(viewer, search, paging),
    ]);
    const content = NotificationsPage({
      ...{ setting, addresses, containers, paging, search },
      previewed: previewedLevel(preview, setting.level),
      hasEpics: this.settings.values.tier === 'ultimate',
      csrfToken: pageContext.csrfToken,
      ...(errors !== undefined && { errors }),
    });
    const status = errors === undefined ? 200 : 422;
    return pageContext.render(content, { title: 'Notifications', nav: 'account' }, status);
  }
}

/** Pages with the notification setting of a single group or project. */
@Controller(atRoot('-/profile/notifications'))
@Page('signed_in')
export class ContainerNotificationPagesController {
  constructor(private readonly pages: ContainerSettingPages) {}

  /** Shows the viewer's setting for a project. */
  @Get('projects/:id')
  @ProjectAbility('read_project')
  showProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() { preview }: ContainerPageDto,
  ): Promise<HttpResponse> {
    return this.pages.show(pageContext, containerOfProject(project, pageContext), { preview });
  }

  /** Changes the viewer's setting for a project. */
  @Post('projects/:id')
  @ProjectAbility('read_project')
  updateProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const container = containerOfProject(project, pageContext);
    return this.pages.update(pageContext, container, { form, type: ProjectFormDto });
  }

  /** Shows the viewer's setting for a group. */
  @Get('groups/:id')
  @GroupAbility('read_group')
  showGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() { preview }: ContainerPageDto,
  ): Promise<HttpResponse> {
    return this.pages.show(pageContext, { kind: 'group', ...group }, { preview });
  }

  /** Changes the viewer's setting for a group, which can name an address of its own. */
  @Post('groups/:id')
  @GroupAbility('read_group')
  updateGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const container: NamedContainer = { kind: 'group', ...group };
    return this.pages.update(pageContext, container, {
      form,
      type: UpdateOwnNotificationSettingDto,
    });
  }
}

function containerOfProject(project: ProjectRow, { viewer }: PageContext): NamedContainer {
  const mayChangeAlerts = canInProject('admin_alert_integration', { ...project, viewer });
  return {
    kind: 'project',
    id: project.id,
    fullName: `${project.namespace.fullName} / ${project.name}`,
    fullPath: fullPathOf(project),
    alertSettings: mayChangeAlerts ? alertSettingsPath(project) : undefined,
  };
}
