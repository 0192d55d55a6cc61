import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { UnauthorizedError } from '../../core/errors.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../core/ui/components/form.js';
import { formErrors, given, type FormProblems } from '../../core/ui/forms.js';
import {
  NOTIFICATIONS_PATH,
  notificationSettingPath,
  type ContainerKey,
} from '../../core/ui/addresses.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/notification-levels.js';
import type { UpdateNotificationSettingDto } from '../settings/notification-setting.dto.js';
import { levelName } from '../settings/notification-setting.presenter.js';
import {
  NotificationSettingsRepository,
  type SettingRow,
} from '../settings/notification-settings.repository.js';
import { NotificationSettings } from '../settings/notification-settings.service.js';
import {
  containerLevelChoices,
  LevelPreview,
  previewedLevel,
  type Inherited,
  type OwnLevel,
} from './levels.js';
import { AddressField, EventSwitches, LevelField, SETTING_FORM_CLASS } from './setting-fields.js';

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

/** A group or project as its page names it. */
export interface NamedContainer extends ContainerKey {
  fullName: string;
  fullPath: string;
  /** The page that decides who gets alert emails, for those who can change it. */
  alertSettings?: string | undefined;
}

interface ContainerSettingProps {
  container: NamedContainer;
  /** False if its settings, or those of a group above, turn emails off. */
  sendsMails: boolean;
  setting: SettingRow;
  inherited: Inherited;
  addresses: string[];
  hasEpics: boolean;
  /** Level of the preview. */
  previewed: OwnLevel;
  ownActivity: boolean;
  csrfToken: string;
  errors?: FormProblems;
}

/** Notification setting of a single group or project. */
function ContainerSettingPage(props: ContainerSettingProps): VNode {
  const { container, sendsMails, previewed, setting, ownActivity } = props;
  const href = `${container.kind === 'group' ? '/groups/' : '/'}${container.fullPath}`;
  const below = container.kind === 'group' ? ', its subgroups and projects' : '';
  return (
    <>
      <PageHeader
        title={`Notifications for ${container.fullName}`}
        description={
          <>
            Emails about the <a href={href}>{container.kind}</a>
            {below}
          </>
        }
      />
      {!sendsMails && (
        <p class="alert">
          {`Notification emails are disabled in the settings of this ${container.kind} or a parent group.`}
        </p>
      )}
      <Card>
        <ContainerSettingForm {...props} />
      </Card>
      <LevelPreview
        path={notificationSettingPath(container)}
        level={previewed}
        events={setting.events}
        ownActivity={ownActivity}
      />
    </>
  );
}

function ContainerSettingForm(props: ContainerSettingProps): VNode {
  const { container, setting, inherited, addresses, hasEpics, csrfToken, errors } = props;
  return (
    <Form
      action={notificationSettingPath(container)}
      csrfToken={csrfToken}
      class={SETTING_FORM_CLASS}
    >
      <FormErrors errors={errors} />
      <LevelField
        options={containerLevelChoices(inherited)}
        value={levelName(setting.level)}
        errors={errors?.fields['level']}
      />
      <EventSwitches events={setting.events} hasEpics={hasEpics} />
      {container.kind === 'group' && (
        <AddressField
          without="Use default email"
          hint="For the group, its subgroups and projects"
          addresses={addresses}
          value={setting.email}
          errors={errors?.fields['notification_email']}
        />
      )}
      {container.kind === 'project' && (
        <CheckboxField
          name="alert_emails"
          label="Alert emails"
          hint={<AlertEmailsHint {...container} />}
          checked={setting.alertEmails}
        />
      )}
      <FormActions>
        <Button>Save changes</Button>
        <ButtonLink href={NOTIFICATIONS_PATH} variant="ghost">
          All notifications
        </ButtonLink>
      </FormActions>
    </Form>
  );
}

function AlertEmailsHint({ alertSettings }: Pick<NamedContainer, 'alertSettings'>): VNode {
  return (
    <>
      Sent to your role at any level if the project emails its alerts.
      {alertSettings !== undefined && (
        <>
          {' '}
          <a class="prose-link" href={alertSettings}>
            Alert settings
          </a>
        </>
      )}
    </>
  );
}
