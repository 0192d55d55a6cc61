import type { ComponentChildren, VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Card, type Fact } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { TaskList } from '../../../core/ui/components/task-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import { seesInternalNotes } from '../../../workspace/notes/note-access.js';
import {
  closedReason,
  CommentForm,
  type RefusedComment,
} from '../../../workspace/notes/pages/note-form.js';
import {
  EditableTimeline,
  type TimelineProps,
} from '../../../workspace/notes/pages/note-timeline.js';
import { Labels } from '../../../workspace/issues/pages/issue-badges.js';
import { Facts, PersonOf } from '../../../workspace/issues/pages/issue-side.js';
import type { IssueRow } from '../../../workspace/issues/sql/issue-list.js';
import { SubscriptionCard } from '../../../workspace/subscriptions/pages/subscription-card.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { MergeRequestView } from '../merge-request-details.service.js';
import { discussionOf } from '../merge-request-notes.service.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';
import { CommitsCard } from './merge-request-contents.page.js';
import { MergeBox, type RefusedMerge } from './merge-box.js';
import {
  mayChangeHere,
  MergeRequestFrame,
  type MergeRequestPageContext,
} from './merge-request-frame.js';

/** Input of a rejected form of the page. */
export interface Refused {
  comment?: RefusedComment;
  merge?: RefusedMerge;
  /** Of a button. */
  errors?: FormProblems;
}

/** A merge request with all that its page shows of it. */
export interface MergeRequestPageProps {
  pageContext: PageContext;
  place: MergeRequestPageContext;
  view: MergeRequestView;
  conflicts: string[];
  /** The newest ones; null when they cannot be read at the moment. */
  commits: Page<CommitRecord> | null;
  closedIssues: IssueRow[] | null;
  participants: UserBasics[];
  timeline: Omit<TimelineProps, 'csrfToken'>;
  refused: Refused;
}

/** Merge request: description, mergeability, comments and history. */
export function MergeRequestPage(props: MergeRequestPageProps): VNode {
  const { pageContext, place, view, refused, ...rest } = props;
  const { csrfToken } = pageContext;
  const { row } = view;
  const errors = refused.errors ?? refused.merge?.errors ?? refused.comment?.errors;
  return (
    <MergeRequestFrame csrfToken={csrfToken} place={place} row={row} current="overview">
      <FormErrors errors={errors} />
      <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div class="grid grid-cols-1 gap-4">
          <Card title="Description">
            <Description {...props} />
          </Card>
          <MergeBox
            csrfToken={csrfToken}
            place={place}
            view={view}
            conflicts={rest.conflicts}
            refused={refused.merge ?? null}
          />
          <CommitsCard
            commits={rest.commits}
            code={place.code}
            all={`${place.path}/${row.iid}/commits`}
          />
          <Discussion {...props} />
        </div>
        <div class="grid grid-cols-1 gap-4">
          <MergeRequestSide
            place={place}
            row={row}
            csrfToken={csrfToken}
            participants={rest.participants}
            closedIssues={rest.closedIssues}
          />
        </div>
      </div>
    </MergeRequestFrame>
  );
}

function Description({ pageContext, place, view: { row } }: MergeRequestPageProps): VNode {
  const { description, iid } = row;
  if (!description) return <p class="text-muted-foreground">No description.</p>;
  if (!mayChangeHere(place, row)) return <Markdown text={description} />;
  const action = `${place.path}/${iid}/edit/task`;
  return <TaskList text={description} action={action} csrfToken={pageContext.csrfToken} />;
}

function Discussion({ pageContext, place, view, timeline, refused }: MergeRequestPageProps): VNode {
  const discussion = discussionOf(view.row, place.project, place.viewer);
  return (
    <Card title="Activity">
      <CommentForm
        pageContext={pageContext}
        action={timeline.notesPath}
        closed={closedReason(discussion, place.project)}
        mayHide={seesInternalNotes(discussion.reader)}
        takesCommands
        refused={refused.comment ?? null}
      />
      <EditableTimeline {...timeline} csrfToken={pageContext.csrfToken} />
    </Card>
  );
}

interface MergeRequestSideProps {
  place: MergeRequestPageContext;
  row: FoundMergeRequest;
  csrfToken: string;
  participants: UserBasics[];
  /** Issues that the merge closes; null while they cannot be read. */
  closedIssues: IssueRow[] | null;
}

/** Sidebar of a merge request: assignees, reviewers and other attributes. */
function MergeRequestSide(props: MergeRequestSideProps): VNode {
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
      <People title="Assignees" people={row.assignees} none="None" />
      <People title="Reviewers" people={row.reviewers} none="None" />
      <Card title="About">
        <Facts facts={facts} />
      </Card>
      <People title="Participants" people={participants} none="None" />
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
