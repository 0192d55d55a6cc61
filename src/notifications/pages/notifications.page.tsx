import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card, EmptyState, PageHeader, Badge } from '../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../core/ui/components/form.js';
import { Pagination } from '../../core/ui/components/list.js';
import type { FormProblems } from '../../core/ui/forms.js';
import { NOTIFICATIONS_PATH, notificationSettingPath } from '../../core/ui/addresses.js';
import type {
  NotifiedContainer,
  SettingRow,
} from '../settings/notification-settings.repository.js';
import {
  containerLevelChoices,
  everywhereLevel,
  levelChoices,
  LevelPreview,
  type OwnLevel,
} from './levels.js';
import { AddressField, EventSwitches, LevelField, SETTING_FORM_CLASS } from './setting-fields.js';
import { ActionsCell, Cell, Table } from '../../core/ui/components/table.js';
import { levelName } from '../settings/notification-setting.presenter.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';

interface NotificationsPageProps {
  setting: SettingRow;
  addresses: string[];
  hasEpics: boolean;
  containers: Page<NotifiedContainer>;
  paging: { page: number; perPage: number };
  search: string;
  /** Level of the preview. */
  previewed: OwnLevel;
  csrfToken: string;
  errors?: FormProblems;
}

/** Notification settings: global, and of single groups and projects. */
export function NotificationsPage(props: NotificationsPageProps): VNode {
  return (
    <>
      <PageHeader
        title="Notifications"
        description="Emails about activity in your groups and projects"
      />
      <Card title="Global">
        <EverywhereForm {...props} />
      </Card>
      <Containers {...props} />
      <LevelPreview
        path={NOTIFICATIONS_PATH}
        level={props.previewed}
        events={props.setting.events}
        ownActivity={props.setting.ownActivity}
      />
    </>
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
        without={`Primary email (${setting.primaryEmail})`}
        hint="Only confirmed addresses can be selected."
        addresses={addresses.filter((email) => email !== setting.primaryEmail)}
        value={setting.email}
        errors={errors?.fields['notification_email']}
      />
      <CheckboxField
        name="own_activity"
        label="Notify me about my own activity"
        checked={setting.ownActivity}
      />
      <FormActions submit="Save changes" />
    </Form>
  );
}

function Containers({
  setting,
  containers,
  paging,
  search,
  csrfToken,
}: NotificationsPageProps): VNode {
  return (
    <>
      <div class="section-head">
        <h2>Groups and projects</h2>
        <p class="text-muted-foreground">Open a project to turn its alert emails on or off.</p>
      </div>
      <FilterBar path={NOTIFICATIONS_PATH} label="Find groups and projects" search={search} />
      {containers.items.length === 0 ? (
        <EmptyState
          title={
            search === '' ? 'No groups or projects yet' : 'No groups or projects match your search'
          }
        />
      ) : (
        <ContainerTable
          containers={containers.items}
          levelEverywhere={setting.level}
          csrfToken={csrfToken}
          query={{ search, page: paging.page }}
        />
      )}
      <Pagination page={containers} paging={paging} path={NOTIFICATIONS_PATH} query={{ search }} />
    </>
  );
}

interface ContainerTableProps {
  containers: NotifiedContainer[];
  levelEverywhere: number;
  csrfToken: string;
  /** List query, to return to the same page. */
  query: { search: string; page: number };
}

const COLUMNS = [
  { label: 'Group or project' },
  { label: 'Level' },
  { label: 'Actions', hidden: true },
];

/** Groups and projects with their levels. */
function ContainerTable({ containers, ...rest }: ContainerTableProps): VNode {
  return (
    <Card flush>
      <Table caption="Groups and projects" columns={COLUMNS} stacked>
        {containers.map((container) => (
          <ContainerRow key={`${container.kind}${container.id}`} container={container} {...rest} />
        ))}
      </Table>
    </Card>
  );
}

type ContainerRowProps = Omit<ContainerTableProps, 'containers'> & { container: NotifiedContainer };

function ContainerRow({ container, ...rest }: ContainerRowProps): VNode {
  const { kind, fullPath, fullName } = container;
  return (
    <tr>
      <Cell wrap>
        <span class="inline-flex flex-wrap items-center gap-2">
          <a href={`${kind === 'group' ? '/groups/' : '/'}${fullPath}`}>{fullName}</a>
          {kind === 'group' && <Badge>Group</Badge>}
        </span>
      </Cell>
      <Cell>
        <LevelForm container={container} {...rest} />
      </Cell>
      <ActionsCell>
        <ButtonLink href={notificationSettingPath(container)} variant="ghost" size="small">
          Settings<span class="sr-only"> of {fullName}</span>
        </ButtonLink>
      </ActionsCell>
    </tr>
  );
}

function LevelForm({ container, levelEverywhere, csrfToken, query }: ContainerRowProps): VNode {
  const id = `level-${container.kind}-${container.id}`;
  const current = levelName(container.level);
  const choices = containerLevelChoices({ levelAbove: container.levelAbove, levelEverywhere });
  return (
    <Form
      action={notificationSettingPath(container)}
      csrfToken={csrfToken}
      class="flex flex-wrap items-center gap-2"
    >
      <input type="hidden" name="list_search" value={query.search} />
      <input type="hidden" name="list_page" value={query.page} />
      <label class="sr-only" for={id}>
        Level of {container.fullName}
      </label>
      <select class="control flex-1 min-w-36" id={id} name="level">
        {choices.map(({ value, label }) => (
          <option key={value} value={value} selected={value === current}>
            {label}
          </option>
        ))}
      </select>
      <Button variant="outline" size="small">
        Save<span class="sr-only"> level of {container.fullName}</span>
      </Button>
    </Form>
  );
}
