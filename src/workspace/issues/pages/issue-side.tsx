import type { VNode } from 'preact';
import { UserLink } from '../../../core/ui/components/avatar.js';
import { PostButton, SideField } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { dateText, Time } from '../../../core/ui/components/time.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import { Labels, type LabelsByName } from '../../labels/pages/label-chips.js';
import type { NamedMilestone } from '../../milestones/milestones.repository.js';
import type { FoundIssue } from '../sql/issue-list.js';
import { LabelsField, MilestoneField, SubscriptionField, UsersField } from './issuable-fields.js';
import { mayPlanHere, type IssuePageContext } from './issue-page-context.js';

interface IssueSideProps {
  context: IssuePageContext;
  issue: FoundIssue;
  csrfToken: string;
  labels: LabelsByName;
  /** Choices of those who can plan. */
  milestones: readonly NamedMilestone[];
}

/** Side bar of an issue: its attributes, each with a form of its own. */
export function IssueSide(props: IssueSideProps): VNode {
  const { context, issue, csrfToken, labels, milestones } = props;
  const { issues, incidents, viewer } = context;
  const page = `${issues}/${issue.iid}`;
  const list = issue.issueType === 'incident' ? incidents : issues;
  const values = valuesOf(issue);
  const action = `${page}/attributes`;
  const edit = (field: VNode): EditForm =>
    mayPlanHere(context, issue) ? { action, csrfToken, field } : undefined;
  const shared = { values, errors: null, page };
  return (
    <aside aria-label="Attributes">
      <SideField
        label="Assignees"
        edit={edit(<UsersField name="assignees" label="Assignees" {...shared} />)}
      >
        <People users={issue.assignees} />
        <AssignButton {...props} />
      </SideField>
      <SideField label="Labels" edit={edit(<LabelsField {...shared} />)}>
        {issue.labels.length === 0 ? undefined : (
          <Labels names={issue.labels} known={labels} list={list} />
        )}
      </SideField>
      <SideField
        label="Milestone"
        edit={edit(<MilestoneField values={values} errors={null} milestones={milestones} />)}
      >
        {milestoneOf(context, issue)}
      </SideField>
      <SideField
        label="Due date"
        edit={edit(
          <TextField name="due_date" label="Due date" type="date" value={issue.dueDate} />,
        )}
      >
        {issue.dueDate === null ? undefined : dateText(issue.dueDate)}
      </SideField>
      {viewer !== null && (
        <SubscriptionField
          subscribed={issue.subscribed}
          action={`${page}/subscription`}
          csrfToken={csrfToken}
        />
      )}
      <SideField label="Activity">
        <Dates issue={issue} />
      </SideField>
    </aside>
  );
}

type EditForm = { action: string; csrfToken: string; field: VNode } | undefined;

function valuesOf(issue: FoundIssue): { assignees: string; labels: string; milestone: string } {
  return {
    assignees: issue.assignees.map(({ username }) => username).join(', '),
    labels: issue.labels.join(', '),
    milestone: String(issue.milestone?.id ?? ''),
  };
}

function milestoneOf(
  { milestones }: Pick<IssuePageContext, 'milestones'>,
  { milestone }: Pick<FoundIssue, 'milestone'>,
): VNode | undefined {
  if (milestone === null) return undefined;
  return (
    <a class="prose-link" href={`${milestones}/${milestone.iid}`}>
      {milestone.title}
    </a>
  );
}

function AssignButton({ context, issue, csrfToken }: IssueSideProps): VNode | null {
  if (!mayPlanHere(context, issue)) return null;
  const isMine = issue.assignees.some(({ id }) => id === context.viewer?.id);
  return (
    <PostButton
      action={`${context.issues}/${issue.iid}/assign`}
      csrfToken={csrfToken}
      size="small"
      fields={{ assigned: String(!isMine) }}
    >
      {isMine ? 'Unassign me' : 'Assign to me'}
    </PostButton>
  );
}

function Dates({ issue }: { issue: FoundIssue }): VNode {
  return (
    <>
      <span>
        Updated <Time value={issue.updatedAt} />
      </span>
      {issue.closedAt !== null && (
        <span>
          Closed <Time value={issue.closedAt} />
          {issue.closedBy !== null && ` by ${issue.closedBy.name}`}
        </span>
      )}
    </>
  );
}

/** Users of an attribute, "None" without any. */
export function People({ users }: { users: readonly UserBasics[] }): VNode {
  if (users.length === 0) return <span class="text-muted-foreground">None</span>;
  return (
    <>
      {users.map((user) => (
        <UserLink key={user.id} user={user} />
      ))}
    </>
  );
}
