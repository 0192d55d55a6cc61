import type { VNode } from 'preact';
import { UserLink } from '../../../core/ui/components/avatar.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { ActionsCell, Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { AccessRequestRow } from '../access-requests/access-requests.repository.js';
import type { RequestState } from '../access-requests/access-requests.service.js';
import { roleOptions, ROLES } from '../roles.js';
import type { MembersPageContext, MembersPageProps } from './members.page.js';

const REQUEST_COLUMNS = [
  { label: 'User' },
  { label: 'Requested' },
  { label: 'Actions', hidden: true },
];

/** Users who wait for an answer, the longest first. */
export function AccessRequests({ pageContext, context, requests }: MembersPageProps): VNode | null {
  if (requests === null || requests.items.length === 0) return null;
  const { total } = requests;
  return (
    <Card title={total === null ? 'Access requests' : `Access requests (${total})`} flush>
      <Table caption="Access requests" columns={REQUEST_COLUMNS} stacked>
        {requests.items.map((request) => (
          <RequestRow key={request.id} {...{ request, context, pageContext }} />
        ))}
      </Table>
    </Card>
  );
}

interface RequestRowProps {
  request: AccessRequestRow;
  context: MembersPageContext;
  pageContext: PageContext;
}

function RequestRow({ request, context, pageContext }: RequestRowProps): VNode {
  const { csrfToken } = pageContext;
  const path = `${context.path}/access_requests/${request.id}`;
  return (
    <tr>
      <Cell>
        <UserLink user={request} />
      </Cell>
      <Cell label="Requested">
        <Time value={request.requestedAt} />
      </Cell>
      <ActionsCell>
        <ConfirmButton
          label="Approve"
          title={`Approve access for ${request.name}?`}
          question={`${request.name} becomes a member of this ${context.source.kind}.`}
          confirm="Approve request"
          action={`${path}/approve`}
          variant="outline"
          size="small"
          csrfToken={csrfToken}
        >
          <SelectField
            name="access_level"
            id={`role-for-${request.id}`}
            label="Role"
            options={roleOptions(context.manager.level)}
            value={String(ROLES.developer)}
            required
          />
        </ConfirmButton>
        <ConfirmButton
          label="Deny"
          title={`Deny access for ${request.name}?`}
          question={`${request.name} can request access again.`}
          confirm="Deny request"
          action={`${path}/deny`}
          size="small"
          csrfToken={csrfToken}
        />
      </ActionsCell>
    </tr>
  );
}

interface AccessRequestButtonProps {
  pageContext: PageContext;
  /** Address of the members page. */
  path: string;
  state: RequestState;
}

/** Requests access to a project or group, or withdraws the request. */
export function AccessRequestButton({ pageContext, path, state }: AccessRequestButtonProps): VNode {
  const { csrfToken } = pageContext;
  if (state === 'none') {
    return (
      <PostButton action={`${path}/access_requests`} csrfToken={csrfToken}>
        Request access
      </PostButton>
    );
  }
  return (
    <ConfirmButton
      label="Withdraw request"
      title="Withdraw your access request?"
      question="Your access request will no longer be reviewed."
      confirm="Withdraw request"
      action={`${path}/access_requests/withdraw`}
      variant="outline"
      csrfToken={csrfToken}
    />
  );
}
