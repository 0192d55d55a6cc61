import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../../core/errors.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { NOTIFICATIONS_PATH, notificationSettingPath } from '../../core/ui/addresses.js';
import { formErrors, given, type FormProblems } from '../../core/ui/forms.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/subscription.entity.js';
import type { UpdateNotificationSettingDto } from '../settings/notification-setting.dto.js';
import { NotificationSettingsRepository } from '../settings/notification-settings.repository.js';
import { NotificationSettings } from '../settings/notification-settings.service.js';
import { ContainerSettingPage, type NamedContainer } from './container-setting.page.js';
import { previewedLevel } from './levels.js';

interface SentForm {
  form: Record<string, unknown>;
  /** Type of its fields. */
  type: new () => UpdateNotificationSettingDto;
}

const SAVED = { notice: 'Notification settings saved.' };

/** Answers with pages about the setting of one group or project, which the viewer can see. */
@Injectable()
export class ContainerSettingPages {
  constructor(
    private readonly notifications: NotificationSettings,
    private readonly stored: NotificationSettingsRepository,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the form, with the errors of the rejected one, and the emails of a level. */
  async show(
    pageContext: PageContext,
    container: NamedContainer,
    { preview, errors }: { preview?: string | null | undefined; errors?: FormProblems },
  ): Promise<HttpResponse> {
    const userId = viewerIdOf(pageContext);
    const [setting, everywhere, levelAbove, addresses, sendsMails] = await Promise.all([
      this.stored.findInScope(userId, container),
      this.stored.findInScope(userId, { kind: 'everywhere' }),
      this.stored.findLevelAbove(userId, container),
      this.stored.addresses(userId),
      this.stored.sendsMails(container),
    ]);
    const content = ContainerSettingPage({
      ...{ container, sendsMails, setting, addresses },
      inherited: { levelAbove, levelEverywhere: everywhere.level },
      previewed: previewedLevel(preview, levelIn(setting.level, levelAbove ?? everywhere.level)),
      ownActivity: everywhere.ownActivity,
      hasEpics: this.settings.values.tier === 'ultimate',
      csrfToken: pageContext.csrfToken,
      ...(errors !== undefined && { errors }),
    });
    const crumbs = [{ label: 'Notifications', href: NOTIFICATIONS_PATH }];
    const info = { title: container.fullName, nav: 'account', crumbs } as const;
    return pageContext.render(content, info, errors === undefined ? 200 : 422);
  }

  /** Saves the form and leads back to the list that it was sent from, or to the form. */
  async update(
    pageContext: PageContext,
    container: NamedContainer,
    { form, type }: SentForm,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(type, form);
      await this.notifications.update({ userId: viewerIdOf(pageContext), scope: container }, dto);
    } catch (error) {
      return this.show(pageContext, container, { errors: formErrors(error) });
    }
    return pageContext.redirect(wayBack(form) ?? notificationSettingPath(container), SAVED);
  }
}

/**
 * Returns the list that the form was sent from, as the form says; null for the form of its own
 * page.
 */
function wayBack(form: Record<string, unknown>): string | null {
  if (given(form, 'list_page') === '') return null;
  const query = {
    search: given(form, 'list_search').slice(0, 255),
    page: given(form, 'list_page').slice(0, 9),
  };
  return `${NOTIFICATIONS_PATH}?${String(new URLSearchParams(query))}`;
}

/** Returns the level in effect: `global` inherits the one above. */
function levelIn(own: number, above: number): number {
  return own === NOTIFICATION_LEVELS.global ? above : own;
}

function viewerIdOf({ viewer }: PageContext): number {
  if (viewer === null) throw new UnauthorizedError();
  return viewer.id;
}
