import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { Button } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { AccountSection } from '../../core/ui/sections/account.js';
import { NOTIFICATIONS_PATH } from './addresses.js';
import { everywhereLevel, levelChoices } from './level-names.js';
import type {
  NotifiedPageContext,
  SettingRow,
} from '../settings/notification-settings.repository.js';
import { PlaceTable } from './place-table.js';
import { AddressField, EventSwitches, LevelField, SETTING_FORM_CLASS } from './setting-fields.js';

interface NotificationsPageProps {
  setting: SettingRow;
  addresses: string[];
  hasEpics: boolean;
  places: Page<NotifiedPageContext>;
  paging: { page: number; perPage: number };
  search: string;
  csrfToken: string;
  errors?: FormProblems;
}

/** Notification settings: global, and of single groups and projects. */
export function NotificationsPage(props: NotificationsPageProps): VNode {
  return (
    <AccountSection current="notifications">
      <PageHeader
        title="Notifications"
        description="Which mails you get about what happens in your groups and projects."
      />
      <Card title="Everywhere">
        <EverywhereForm {...props} />
      </Card>
      <Places {...props} />
    </AccountSection>
  );
}

function EverywhereForm(props: NotificationsPageProps): VNode {
  const { setting, addresses, hasEpics, csrfToken, errors } = props;
  return (
    <Form action={NOTIFICATIONS_PATH} csrfToken={csrfToken} class={SETTING_FORM_CLASS}>
      <FormErrors errors={errors} />
      <LevelField
        options={levelChoices()}
        value={everywhereLevel(setting.level)}
        errors={errors?.fields['level']}
      />
      <EventSwitches events={setting.events} hasEpics={hasEpics} />
      <AddressField
        without={`Primary address (${setting.primaryEmail})`}
        hint="Only confirmed addresses can be chosen."
        addresses={addresses.filter((email) => email !== setting.primaryEmail)}
        value={setting.email}
        errors={errors?.fields['notification_email']}
      />
      <CheckboxField
        name="own_activity"
        label="Tell me of what I do myself, too"
        checked={setting.ownActivity}
      />
      <FormActions>
        <Button>Save notifications</Button>
      </FormActions>
    </Form>
  );
}

function Places({ setting, places, paging, search, csrfToken }: NotificationsPageProps): VNode {
  return (
    <>
      <h2>Groups and projects</h2>
      <Form
        action={NOTIFICATIONS_PATH}
        method="get"
        label="Find groups and projects"
        class="filters"
      >
        <TextField type="search" name="search" label="Search" value={search} bare />
        <Button variant="outline">Apply</Button>
      </Form>
      {places.items.length === 0 ? (
        <EmptyState title={search === '' ? 'You belong to no group or project yet' : 'Not found'} />
      ) : (
        <PlaceTable
          places={places.items}
          levelEverywhere={setting.level}
          csrfToken={csrfToken}
          query={{ search, page: paging.page }}
        />
      )}
      <Pagination page={places} paging={paging} path={NOTIFICATIONS_PATH} query={{ search }} />
    </>
  );
}
