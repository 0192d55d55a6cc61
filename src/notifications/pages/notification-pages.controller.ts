import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input, parseInput } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { formErrors, type FormProblems } from '../../core/ui/form-errors.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { NotificationSettingsRepository } from '../settings/notification-settings.repository.js';
import { NotificationSettings } from '../settings/notification-settings.service.js';
import { NOTIFICATIONS_PATH } from './addresses.js';
import { EverywhereFormDto, NotificationPageDto } from './notification-page.dto.js';
import { NotificationsPage } from './notifications.page.js';

const EVERYWHERE = { kind: 'everywhere' } as const;

/** List of a page, and the errors of the form on it. */
interface Listing {
  search: string;
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
    @Input() { search }: NotificationPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.page(pageContext, viewer, { search: search ?? '', paging });
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
    return pageContext.redirect(NOTIFICATIONS_PATH, { notice: 'Your notifications were saved.' });
  }

  private async page(
    pageContext: PageContext,
    viewer: Viewer,
    { search, paging, errors }: Listing,
  ): Promise<HttpResponse> {
    const [setting, addresses, places] = await Promise.all([
      this.stored.findInScope(viewer.id, EVERYWHERE),
      this.stored.addresses(viewer.id),
      this.stored.listPlaces(viewer, search, paging),
    ]);
    const content = NotificationsPage({
      ...{ setting, addresses, places, paging, search },
      hasEpics: this.settings.values.tier === 'ultimate',
      csrfToken: pageContext.csrfToken,
      ...(errors !== undefined && { errors }),
    });
    const status = errors === undefined ? 200 : 422;
    return pageContext.render(content, { title: 'Notifications', nav: 'account' }, status);
  }
}
