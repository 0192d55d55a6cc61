import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { AccountSection } from '../../core/ui/sections/account.js';
import { levelName } from '../settings/notification-setting.presenter.js';
import type { SettingRow } from '../settings/notification-settings.repository.js';
import { NOTIFICATIONS_PATH, placePath, type PlaceKey } from './addresses.js';
import { placeLevelChoices, type Inherited } from './level-names.js';
import { AddressField, EventSwitches, LevelField, SETTING_FORM_CLASS } from './setting-fields.js';

/** A group or project as its page names it. */
export interface NamedPageContext extends PlaceKey {
  fullName: string;
  fullPath: string;
}

export interface PlaceSettingProps {
  place: NamedPageContext;
  setting: SettingRow;
  inherited: Inherited;
  addresses: string[];
  hasEpics: boolean;
  csrfToken: string;
  errors?: FormProblems;
}

/** Notification setting of a single group or project. */
export function PlaceSettingPage(props: PlaceSettingProps): VNode {
  const { place } = props;
  const href = `${place.kind === 'group' ? '/groups/' : '/'}${place.fullPath}`;
  const below = place.kind === 'group' ? ' and all below it' : '';
  return (
    <AccountSection current="notifications">
      <PageHeader
        title="Notifications"
        description={
          <>
            Which mails you get about the {place.kind} <a href={href}>{place.fullName}</a>
            {below}.
          </>
        }
      />
      <Card>
        <PlaceSettingForm {...props} />
      </Card>
    </AccountSection>
  );
}

function PlaceSettingForm(props: PlaceSettingProps): VNode {
  const { place, setting, inherited, addresses, hasEpics, csrfToken, errors } = props;
  return (
    <Form action={placePath(place)} csrfToken={csrfToken} class={SETTING_FORM_CLASS}>
      <FormErrors errors={errors} />
      <LevelField
        options={placeLevelChoices(inherited)}
        value={levelName(setting.level)}
        errors={errors?.fields['level']}
      />
      <EventSwitches events={setting.events} hasEpics={hasEpics} />
      {place.kind === 'group' && (
        <AddressField
          without="As everywhere"
          hint="Mails about the group and all below it go there."
          addresses={addresses}
          value={setting.email}
          errors={errors?.fields['notification_email']}
        />
      )}
      {place.kind === 'project' && (
        <CheckboxField
          name="alert_emails"
          label="Alert emails"
          hint="Emails that the project sends to your role about its alerts, at any level"
          checked={setting.alertEmails}
        />
      )}
      <FormActions>
        <Button>Save notifications</Button>
        <ButtonLink href={NOTIFICATIONS_PATH} variant="ghost">
          All notifications
        </ButtonLink>
      </FormActions>
    </Form>
  );
}
