import type { ComponentChildren, VNode } from 'preact';
import { Card, type Fact } from '../../core/ui/components/content.js';
import { Time } from '../../core/ui/components/time.js';
import { Labels } from '../../issues/pages/issue-badges.js';
import type { IssueRow } from '../../issues/sql/issue-columns.js';
import { Facts, PersonOf } from '../../issues/pages/issue-side.js';
import { SubscriptionCard } from '../../subscriptions/pages/subscription-card.js';
import type { UserBasics } from '../../users/user.presenter.js';
import type { FoundMergeRequest } from '../sql/merge-request-columns.js';
import type { MergeRequestPlace } from './merge-request-place.js';

interface MergeRequestSideProps {
  place: MergeRequestPlace;
  row: FoundMergeRequest;
  csrfToken: string;
  participants: UserBasics[];
  /** Issues that the merge closes; null while they cannot be read. */
  closedIssues: IssueRow[] | null;
}

/** Sidebar of a merge request: assignees, reviewers and other attributes. */
export function MergeRequestSide(props: MergeRequestSideProps): VNode {
  const { place, row, csrfToken, participants, closedIssues } = props;
  const facts: Fact[] = [
    { label: 'Labels', value: orNone(row.labels, labelsOf(props)) },
    { label: 'Milestone', value: <MilestoneOf place={place} row={row} /> },
    {
      label: row.state === 'merged' ? 'Closed issues' : 'Closes issues',
      value:
        closedIssues === null ? 'Not known at the moment' : orNone(closedIssues, issuesOf(props)),
    },
    { label: 'Source branch', value: row.removeSourceBranch ? 'Goes when it is merged' : 'Stays' },
    { label: 'Opened', value: <Time value={row.createdAt} /> },
    { label: 'Changed', value: <Time value={row.updatedAt} /> },
  ];
  return (
    <>
      <People title="Assignees" people={row.assignees} none="Nobody yet." />
      <People title="Reviewers" people={row.reviewers} none="Nobody yet." />
      <Card title="About">
        <Facts facts={facts} />
      </Card>
      <People title="Participants" people={participants} none="Nobody yet." />
      {place.viewer !== null && (
        <SubscriptionCard
          subscribed={row.subscribed}
          action={`${place.path}/${row.iid}/subscription`}
          csrfToken={csrfToken}
        />
      )}
    </>
  );
}

function orNone(items: readonly unknown[], shown: ComponentChildren): ComponentChildren {
  return items.length === 0 ? undefined : shown;
}

function labelsOf({ place, row }: MergeRequestSideProps): VNode {
  return <Labels labels={row.labels} list={place.path} />;
}

function issuesOf({ place, closedIssues }: MergeRequestSideProps): VNode {
  return (
    <ul class="grid gap-1">
      {(closedIssues ?? []).map(({ iid, title }) => (
        <li key={iid}>
          <a class="prose-link" href={`${place.issues}/${iid}`}>
            {`#${iid} ${title}`}
          </a>
        </li>
      ))}
    </ul>
  );
}

function MilestoneOf({ place, row }: Pick<MergeRequestSideProps, 'place' | 'row'>): VNode {
  if (row.milestone === null) return <span class="text-muted-foreground">None</span>;
  return (
    <a class="prose-link" href={`${place.milestones}/${row.milestone.iid}`}>
      {row.milestone.title}
    </a>
  );
}

function People(props: { title: string; people: UserBasics[]; none: string }): VNode {
  const { title, people, none } = props;
  return (
    <Card title={title}>
      {people.length === 0 && <p class="text-muted-foreground">{none}</p>}
      {people.map((user) => (
        <PersonOf key={user.id} user={user} />
      ))}
    </Card>
  );
}
