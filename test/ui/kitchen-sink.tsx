import type { VNode } from 'preact';
import { Person } from '../../src/core/ui/components/avatar.js';
import { CapacityBar, ProgressBar } from '../../src/core/ui/components/bars.js';
import { Button, ButtonLink } from '../../src/core/ui/components/button.js';
import {
  CheckboxField,
  CheckboxGroup,
  RadioGroup,
  SelectField,
} from '../../src/core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../src/core/ui/components/confirm-button.js';
import {
  Badge,
  Card,
  DescriptionList,
  EmptyState,
  PageHeader,
} from '../../src/core/ui/components/content.js';
import { CopyField } from '../../src/core/ui/components/copy-field.js';
import { Flash } from '../../src/core/ui/page-layout.js';
import { Form, FormActions, PostButton } from '../../src/core/ui/components/form.js';
import { FormErrors } from '../../src/core/ui/components/form-errors.js';
import { Pagination } from '../../src/core/ui/components/pagination.js';
import { ActionsCell, Cell, Table } from '../../src/core/ui/components/table.js';
import { TextArea, TextField } from '../../src/core/ui/components/text-field.js';
import { Time } from '../../src/core/ui/components/time.js';
import { AccountSection } from '../../src/core/ui/sections/account.js';
import { AdminSection } from '../../src/core/ui/sections/admin.js';
import { GroupTabs } from '../../src/core/ui/sections/group.js';
import { ProjectTabs } from '../../src/core/ui/sections/project.js';

const VISIBILITIES = [
  { value: 'private', label: 'Private', hint: 'Only members.' },
  { value: 'internal', label: 'Internal', hint: 'Everybody who is signed in.' },
  { value: 'public', label: 'Public', hint: 'Everybody.' },
];
const ERRORS = {
  fields: { name: ['Name is missing.'], visibility: ['Visibility has no valid value.'] },
  general: ['The limit of projects is reached.'],
};

/** Every component once. */
export function KitchenSink({ csrfToken }: { csrfToken: string }): VNode {
  return (
    <>
      <PageHeader
        title="Kitchen sink"
        description="Everything that pages are made of, in one place."
        actions={
          <>
            <ButtonLink href="/projects/new">New project</ButtonLink>
            <ButtonLink href="/explore" variant="outline">
              Explore
            </ButtonLink>
          </>
        }
      />
      <ProjectTabs
        project={{ fullPath: 'guild/hall', defaultBranch: 'main' }}
        current="members"
        may={{
          readCode: true,
          readMergeRequests: true,
          readMilestones: true,
          readSnippets: true,
          readIssues: true,
          readAlerts: true,
          readErrors: true,
          manageTokens: true,
          edit: true,
        }}
      />
      <GroupTabs
        group={{ fullPath: 'guild' }}
        current="overview"
        may={{ manageTokens: true, edit: false }}
      />
      <Messages />
      <AdminSection current="users">
        <Users csrfToken={csrfToken} />
      </AdminSection>
      <AccountSection current="tokens">
        <Fields csrfToken={csrfToken} />
      </AccountSection>
      <Bars />
    </>
  );
}

function Messages(): VNode {
  return (
    <Flash
      messages={{
        notice: 'The token was made.',
        alert: 'The mail server does not answer.',
        secret: { label: 'Your new access token', value: 'svcpat-0123456789abcdef' },
      }}
    />
  );
}

function Users({ csrfToken }: { csrfToken: string }): VNode {
  const columns = [
    { label: 'User' },
    { label: 'State' },
    { label: 'Projects', align: 'end' as const },
    { label: 'Last seen' },
    { label: 'Actions', hidden: true },
  ];
  return (
    <>
      <Table caption="Users" columns={columns}>
        {['Ada Lovelace', 'Grace Hopper', 'root'].map((name, index) => (
          <tr key={name}>
            <th scope="row">
              <Person name={name} href="/admin/users/1" detail={`@${name.toLowerCase()}`} />
            </th>
            <Cell>
              <Badge tone={index === 0 ? 'success' : 'warning'}>
                {index ? 'Blocked' : 'Active'}
              </Badge>
            </Cell>
            <Cell align="end">{index * 17}</Cell>
            <Cell>
              <Time value={index === 2 ? null : new Date(0)} />
            </Cell>
            <ActionsCell>
              <PostButton action="/admin/users/1/block" csrfToken={csrfToken} size="small">
                Block
              </PostButton>
            </ActionsCell>
          </tr>
        ))}
      </Table>
      <Pagination
        page={{ hasNext: true, total: 61 }}
        paging={{ page: 2, perPage: 20 }}
        path="/admin/users"
        query={{ search: 'a b', filter: null }}
      />
      <p>
        <ConfirmButton
          label="Delete user"
          question="Everything this user owns is removed. This cannot be undone."
          confirm="Delete Ada Lovelace"
          action="/admin/users/1/delete"
          csrfToken={csrfToken}
        />
      </p>
    </>
  );
}

function Fields({ csrfToken }: { csrfToken: string }): VNode {
  return (
    <Card title="New project">
      <Form action="/projects" csrfToken={csrfToken} label="New project">
        <FormErrors errors={ERRORS} focused={false} />
        <TextField name="name" label="Name" errors={ERRORS.fields.name} required maxLength={255} />
        <TextField name="path" label="Path" value="hall" hint="Letters, digits, dots and dashes." />
        <TextField name="password" type="password" label="Password" value="never" required />
        <TextArea name="description" label="Description" value={'\nfirst line is empty'} />
        <SelectField
          name="namespace_id"
          label="Namespace"
          value="2"
          options={[
            { value: '1', label: 'ada' },
            { value: '2', label: 'guild' },
          ]}
        />
        <RadioGroup
          name="visibility"
          label="Visibility"
          options={VISIBILITIES}
          value="internal"
          errors={ERRORS.fields.visibility}
        />
        <CheckboxField
          name="confidential"
          label="Confidential"
          hint="It can keep a secret."
          checked
        />
        <CheckboxGroup
          name="scopes"
          label="Scopes"
          values={['api']}
          options={[
            { value: 'api', label: 'api', hint: 'Everything.' },
            { value: 'read_user', label: 'read_user' },
          ]}
        />
        <FormActions>
          <Button>Create project</Button>
          <Button variant="secondary" name="draft" value="1">
            Keep as draft
          </Button>
          <ButtonLink href="/" variant="ghost">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </Card>
  );
}

function Bars(): VNode {
  return (
    <Card title="Storages" actions={<Badge>2 storages</Badge>}>
      <DescriptionList
        items={[
          { label: 'default', value: <CapacityBar value={95} max={100} label="default" /> },
          { label: 'storage2', value: <CapacityBar value={20} max={100} label="storage2" /> },
          { label: 'Move', value: <ProgressBar value={40} max={100} label="Move of guild/hall" /> },
          { label: 'Finished', value: <Time value="2026-01-31" /> },
          { label: 'Error', value: null },
        ]}
      />
      <CopyField label="Clone address" value="https://example.com/guild/hall.git" />
    </Card>
  );
}

/** A page with nothing on it. */
export function EmptyPage(): VNode {
  return (
    <>
      <PageHeader title="Nothing" />
      <EmptyState
        title="No snippets yet"
        action={<ButtonLink href="/-/snippets/new">New snippet</ButtonLink>}
      >
        Snippets keep pieces of code that are worth to be found again.
      </EmptyState>
    </>
  );
}
