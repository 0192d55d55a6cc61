import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Button } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Table, ActionsCell, Cell } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import type { MemberRow } from '../member.presenter.js';
import { roleOptions, ROLES, roleName } from '../roles.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Time } from '../../../core/ui/components/time.js';
import type { MemberSource } from '../member-source.js';
import type { MemberManager } from '../members.service.js';
import { FilterForm } from '../../../core/ui/components/filter-form.js';

/** The project or group whose members a page is about, as its feature describes it. */
export interface MembersPageContext {
  source: MemberSource;
  /** Viewer, and their level there. */
  manager: MemberManager;
  mayManage: boolean;
  /** Address of the page; the addresses of its forms begin with it. */
  path: string;
  info: PageInfo;
}

export interface MembersPageProps {
  pageContext: PageContext;
  context: MembersPageContext;
  page: Page<MemberRow>;
  paging: { page: number; perPage: number };
  /** Includes members of the groups above. */
  inherited: boolean;
  search: string;
  errors?: FormProblems | null;
  /** Input of the rejected form for a new member. */
  values?: { username: string; accessLevel: string; expiresAt: string };
}

const HEADINGS = ['Member', 'Role', 'Ends on', 'Since'];
const COLUMNS = [...HEADINGS.map((label) => ({ label })), { label: 'Actions', hidden: true }];

/** Members of a project or group, and the forms to manage them. */
export function MembersPage(props: MembersPageProps): VNode {
  const { context } = props;
  return (
    <>
      <PageHeader title={context.info.title} />
      <MemberList {...props} />
      {context.mayManage && <AddMemberCard {...props} />}
    </>
  );
}

function MemberList(props: MembersPageProps): VNode {
  const { pageContext, context, page, paging, inherited, search } = props;
  const { path } = context;
  const withInherited = `${path}?inherited=true`;
  const tabs = [
    { label: 'Direct', href: path },
    { label: 'With inherited', href: withInherited },
  ];
  const current = inherited ? withInherited : path;
  const query = { search, inherited: inherited ? 'true' : null };
  return (
    <>
      <Tabs label="Members" items={tabs} current={current} />
      <FilterForm action={path} label="Find members">
        {inherited && <input type="hidden" name="inherited" value="true" />}
        <TextField type="search" name="search" label="Name or username" value={search} bare />
        <Button variant="outline">Search</Button>
      </FilterForm>
      {page.items.length === 0 ? (
        <EmptyState title={search === '' ? 'No members' : 'No members match your search'} />
      ) : (
        <Card flush>
          <Table caption="Members" columns={COLUMNS}>
            {page.items.map((member) => (
              <MemberTableRow
                key={member.id}
                {...{ member, context, pageContext, fixed: inherited }}
              />
            ))}
          </Table>
        </Card>
      )}
      <Pagination page={page} paging={paging} path={path} query={query} />
    </>
  );
}

const NOTHING = { username: '', accessLevel: String(ROLES.developer), expiresAt: '' };

/** The form for a new member. */
function AddMemberCard(props: MembersPageProps): VNode {
  const { pageContext, context, errors, values = NOTHING } = props;
  return (
    <Card title="Add a member">
      <Form action={context.path} csrfToken={pageContext.csrfToken} label="Add a member">
        <FormErrors errors={errors} />
        <div class="grid gap-4 md:grid-cols-3">
          <TextField
            name="username"
            label="Username or email"
            value={values.username}
            errors={errors?.fields['username']}
            autocomplete="off"
            required
          />
          <SelectField
            name="access_level"
            label="Role"
            options={roleOptions(context.manager.level)}
            value={values.accessLevel}
            errors={errors?.fields['access_level']}
            required
          />
          <TextField
            type="date"
            name="expires_at"
            label="Ends on"
            value={values.expiresAt}
            errors={errors?.fields['expires_at']}
          />
        </div>
        <FormActions>
          <Button>Add member</Button>
        </FormActions>
      </Form>
    </Card>
  );
}

interface MemberProps {
  member: MemberRow;
  context: MembersPageContext;
  pageContext: PageContext;
}

/** A member; `fixed` without actions, since inherited memberships are changed in their group. */
function MemberTableRow({ fixed, ...props }: MemberProps & { fixed: boolean }): VNode {
  const { member } = props;
  return (
    <tr>
      <Cell>
        <div class="flex items-center gap-3">
          <Avatar name={member.name} owner={member} />
          <div class="min-w-0">
            <a href={`/${member.username}`}>{member.name}</a>
            <div class="text-muted-foreground">{`@${member.username}`}</div>
          </div>
        </div>
      </Cell>
      <Cell>{roleName(member.accessLevel)}</Cell>
      <Cell>
        <Time value={member.expiresAt} />
      </Cell>
      <Cell>
        <Time value={member.createdAt} />
      </Cell>
      <ActionsCell>{!fixed && <MemberActions {...props} />}</ActionsCell>
    </tr>
  );
}

function MemberActions(props: MemberProps): VNode {
  const { member, context, pageContext } = props;
  const { kind } = context.source;
  const isOwn = pageContext.viewer?.id === member.id;
  const mayChange = context.mayManage && member.accessLevel <= context.manager.level;
  return (
    <>
      {mayChange && <ChangeButton {...props} />}
      {(mayChange || isOwn) && (
        <ConfirmButton
          label={isOwn ? 'Leave' : 'Remove'}
          question={
            isOwn
              ? `You will lose access to this ${kind}.`
              : `${member.name} will lose access to this ${kind}.`
          }
          confirm={isOwn ? `Leave ${kind}` : 'Remove member'}
          action={`${context.path}/${member.id}/remove`}
          csrfToken={pageContext.csrfToken}
          size="small"
        />
      )}
    </>
  );
}

function ChangeButton({ member, context, pageContext }: MemberProps): VNode {
  return (
    <ConfirmButton
      label="Change"
      question={`Role of ${member.name}, and the day on which the membership ends.`}
      confirm="Save"
      action={`${context.path}/${member.id}`}
      csrfToken={pageContext.csrfToken}
      variant="outline"
      size="small"
    >
      <SelectField
        name="access_level"
        id={`role-of-${member.id}`}
        label="Role"
        options={roleOptions(context.manager.level)}
        value={String(member.accessLevel)}
        required
      />
      <TextField
        type="date"
        name="expires_at"
        id={`end-of-${member.id}`}
        label="Ends on"
        value={member.expiresAt}
      />
    </ConfirmButton>
  );
}
