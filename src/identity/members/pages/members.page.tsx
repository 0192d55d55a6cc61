import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { UserLink } from '../../../core/ui/components/avatar.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { Table, ActionsCell, Cell } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import type { AccessRequestRow } from '../access-requests/access-requests.repository.js';
import type { MemberRow } from '../member.presenter.js';
import { roleOptions, roleName } from '../roles.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Time } from '../../../core/ui/components/time.js';
import type { MemberSource } from '../member-source.js';
import type { MemberManager } from '../members.service.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { AccessRequests } from './access-requests.js';
import { AddMember, RefusedMember } from './add-member.js';

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
  /** The first pending requests; null for those who cannot decide about them. */
  requests: Page<AccessRequestRow> | null;
  paging: { page: number; perPage: number };
  /** Includes members of the groups above. */
  inherited: boolean;
  search: string;
  errors?: FormProblems | null;
  /** Input of the rejected form for a new member. */
  values?: { username: string; accessLevel: string; expiresAt: string };
}

const HEADINGS = ['Member', 'Role', 'Source', 'Expires', 'Added'];
const COLUMNS = [...HEADINGS.map((label) => ({ label })), { label: 'Actions', hidden: true }];

/** Members of a project or group, and the forms to manage them. */
export function MembersPage(props: MembersPageProps): VNode {
  const { context, errors } = props;
  const isRefused = errors != null;
  return (
    <>
      <PageHeader
        title={context.info.title}
        actions={context.mayManage && !isRefused && <AddMember {...props} />}
      />
      {isRefused && <RefusedMember {...props} />}
      <AccessRequests {...props} />
      <MemberList {...props} />
    </>
  );
}

function MemberList(props: MembersPageProps): VNode {
  const { pageContext, context, page, paging, inherited, search } = props;
  const { path } = context;
  const kept = { inherited: inherited ? null : 'false' };
  const addressOf = (value: string | null): string =>
    filledAddress(path, { search, inherited: value });
  const tabs = [
    { label: 'All members', href: addressOf(null) },
    { label: 'Direct', href: addressOf('false') },
  ];
  return (
    <>
      <Tabs label="Members" items={tabs} current={addressOf(kept.inherited)} />
      <FilterBar path={path} search={search} searchLabel="Name or username" kept={kept} />
      {page.items.length === 0 ? (
        <EmptyState title={emptyTitle(props)} />
      ) : (
        <Card flush>
          <Table caption="Members" columns={COLUMNS} stacked>
            {page.items.map((member) => (
              <MemberTableRow key={member.id} {...{ member, context, pageContext }} />
            ))}
          </Table>
        </Card>
      )}
      <Pagination page={page} paging={paging} path={path} query={{ search, ...kept }} />
    </>
  );
}

function emptyTitle({ search, inherited }: MembersPageProps): string {
  if (search !== '') return 'No members match your search';
  return inherited ? 'No members' : 'No direct members';
}

interface MemberProps {
  member: MemberRow;
  context: MembersPageContext;
  pageContext: PageContext;
}

/** A member; inherited memberships are changed in their group. */
function MemberTableRow(props: MemberProps): VNode {
  const { member, context } = props;
  const isDirect =
    context.source.kind === 'group'
      ? member.groupId === context.source.id
      : member.groupId === null;
  return (
    <tr>
      <Cell>
        <UserLink user={member} />
      </Cell>
      <Cell>{roleName(member.accessLevel)}</Cell>
      <Cell>
        {isDirect ? 'Direct' : <a href={`/groups/${member.groupPath ?? ''}`}>{member.groupName}</a>}
      </Cell>
      <Cell label="Expires">
        <Time value={member.expiresAt} />
      </Cell>
      <Cell label="Added">
        <Time value={member.createdAt} />
      </Cell>
      <ActionsCell>{isDirect && <MemberActions {...props} />}</ActionsCell>
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
          title={isOwn ? `Leave this ${kind}?` : `Remove ${member.name} from this ${kind}?`}
          question={
            isOwn
              ? 'You will lose access immediately.'
              : `${member.name} will lose access immediately.`
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
      title={`Edit ${member.name}'s membership`}
      question="The new role applies immediately."
      confirm="Save changes"
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
        label="Expires"
        value={member.expiresAt}
      />
    </ConfirmButton>
  );
}
