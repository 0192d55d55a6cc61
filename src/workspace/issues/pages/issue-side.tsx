import type { VNode } from 'preact';
import { Person } from '../../../core/ui/components/avatar.js';
import { Card, type Fact } from '../../../core/ui/components/content.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Time } from '../../../core/ui/components/time.js';
import { SubscriptionCard } from '../../subscriptions/pages/subscription-card.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { FoundIssue } from '../sql/issue-list.js';
import { Labels } from './issue-badges.js';
import { mayPlanHere, type IssuePageContext } from './issue-page-context.js';

interface IssueSideProps {
  context: IssuePageContext;
  issue: FoundIssue;
  csrfToken: string;
}

/** Sidebar of an issue: assignees and other attributes. */
export function IssueSide({ context, issue, csrfToken }: IssueSideProps): VNode {
  const list = issue.issueType === 'incident' ? context.incidents : context.issues;
  const labels = issue.labels.length > 0 ? <Labels labels={issue.labels} list={list} /> : undefined;
  const facts: Fact[] = [
    { label: 'Labels', value: labels },
    { label: 'Milestone', value: <MilestoneOf context={context} issue={issue} /> },
    { label: 'Due date', value: issue.dueDate ?? undefined },
    { label: 'Opened', value: <Time value={issue.createdAt} /> },
    { label: 'Changed', value: <Time value={issue.updatedAt} /> },
    ...(issue.closedAt === null
      ? []
      : [{ label: 'Closed', value: <ClosedBy issue={issue} closedAt={issue.closedAt} /> }]),
  ];
  return (
    <>
      <Card title="Assignees">
        <Assignees context={context} issue={issue} csrfToken={csrfToken} />
      </Card>
      <Card title="About">
        <Facts facts={facts} />
      </Card>
      {context.viewer !== null && (
        <SubscriptionCard
          subscribed={issue.subscribed}
          action={`${context.issues}/${issue.iid}/subscription`}
          csrfToken={csrfToken}
        />
      )}
    </>
  );
}

function MilestoneOf({ context, issue: { milestone } }: Omit<IssueSideProps, 'csrfToken'>): VNode {
  if (milestone === null) return <span class="text-muted-foreground">None</span>;
  return (
    <a class="prose-link" href={`${context.milestones}/${milestone.iid}`}>
      {milestone.title}
    </a>
  );
}

/** Names above their values: the column is narrow. */
export function Facts({ facts }: { facts: Fact[] }): VNode {
  return (
    <dl class="grid gap-3 text-sm">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt class="text-muted-foreground font-medium">{label}</dt>
          <dd class="wrap-anywhere">{value ?? <span class="text-muted-foreground">None</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

function Assignees({ context, issue, csrfToken }: IssueSideProps): VNode {
  const isMine = issue.assignees.some(({ id }) => id === context.viewer?.id);
  return (
    <>
      {issue.assignees.length === 0 && <p class="text-muted-foreground">None</p>}
      {issue.assignees.map((user) => (
        <PersonOf key={user.id} user={user} />
      ))}
      {mayPlanHere(context, issue) && (
        <PostButton
          action={`${context.issues}/${issue.iid}/assign`}
          csrfToken={csrfToken}
          size="small"
          fields={{ assigned: String(!isMine) }}
        >
          {isMine ? 'Unassign me' : 'Assign to me'}
        </PostButton>
      )}
    </>
  );
}

/** One of those who are involved. */
export function PersonOf({ user }: { user: UserBasics }): VNode {
  return (
    <Person name={user.name} owner={user} href={`/${user.username}`} detail={`@${user.username}`} />
  );
}

function ClosedBy({ issue, closedAt }: { issue: FoundIssue; closedAt: Date }): VNode {
  return (
    <>
      <Time value={closedAt} />
      {issue.closedBy !== null && ` by ${issue.closedBy.name}`}
    </>
  );
}
