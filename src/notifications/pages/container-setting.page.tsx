import type { VNode } from 'preact';
import {
  NOTIFICATIONS_PATH,
  notificationSettingPath,
  type ContainerKey,
} from '../../core/ui/addresses.js';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../core/ui/components/form.js';
import type { FormProblems } from '../../core/ui/forms.js';
import { levelName } from '../settings/notification-setting.presenter.js';
import type { SettingRow } from '../settings/notification-settings.repository.js';
import { containerLevelChoices, LevelPreview, type Inherited, type OwnLevel } from './levels.js';
import { AddressField, EventSwitches, LevelField, SETTING_FORM_CLASS } from './setting-fields.js';

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
export function ContainerSettingPage(props: ContainerSettingProps): VNode {
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
