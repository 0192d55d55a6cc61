import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors, SideField } from '../../../core/ui/components/form.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { TaskList } from '../../../core/ui/components/task-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import {
  LabelsField,
  MilestoneField,
  SubscriptionField,
  UsersField,
} from '../../../workspace/issues/pages/issuable-fields.js';
import { seesInternalNotes } from '../../../workspace/notes/note-access.js';
import {
  closedReason,
  CommentForm,
  type RefusedComment,
} from '../../../workspace/notes/pages/note-form.js';
import {
  DiscussionCard,
  EditableTimeline,
  type TimelineProps,
} from '../../../workspace/notes/pages/note-timeline.js';
import { Labels, type LabelsByName } from '../../../workspace/labels/pages/label-chips.js';
import { People } from '../../../workspace/issues/pages/issue-side.js';
import type { IssueRow } from '../../../workspace/issues/sql/issue-list.js';
import type { NamedMilestone } from '../../../workspace/milestones/milestones.repository.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { MergeRequestView } from '../merge-request-details.service.js';
import type { ContentsCounts } from '../merge-request-contents.service.js';
import { discussionOf } from '../merge-request-notes.service.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';
import { valuesOfMergeRequest } from './merge-request-fields.js';
import { CommitsCard } from './merge-request-contents.page.js';
import { MergeBox, type RefusedMerge } from './merge-box.js';
import { MergeRequestFrame } from './merge-request-frame.js';
import {
  mayChangeHere,
  mayPlanHere,
  type MergeRequestPageContext,
} from './merge-request-page-context.js';

/** Input of a rejected form of the page. */
export interface Refused {
  comment?: RefusedComment;
  merge?: RefusedMerge;
  /** Of a button. */
  errors?: FormProblems;
}

/** Attributes in the side bar of a merge request. */
export interface Contents {
  /** Issues that the merge closes; null while they cannot be read. */
  closedIssues: IssueRow[] | null;
  participants: UserBasics[];
  labels: LabelsByName;
  /** Choices of those who can plan. */
  milestones: NamedMilestone[];
}

/** A merge request with all that its page shows of it. */
export interface MergeRequestPageProps extends Contents {
  pageContext: PageContext;
  context: MergeRequestPageContext;
  view: MergeRequestView;
  conflicts: string[];
  /** The newest ones; null when they cannot be read at the moment. */
  commits: Page<CommitRecord> | null;
  counts: ContentsCounts | null;
  timeline: Omit<TimelineProps, 'csrfToken'>;
  refused: Refused;
}

/** Merge request: description, mergeability, comments and history. */
export function MergeRequestPage(props: MergeRequestPageProps): VNode {
  const { pageContext, context, view, refused, ...rest } = props;
  const { csrfToken } = pageContext;
  const { row } = view;
  const errors = refused.errors ?? refused.merge?.errors ?? refused.comment?.errors;
  return (
    <MergeRequestFrame
      csrfToken={csrfToken}
      context={context}
      row={row}
      counts={rest.counts}
      current="overview"
    >
      <FormErrors errors={errors} />
      <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div class="grid grid-cols-1 gap-4">
          <Card title="Description">
            <Description {...props} />
          </Card>
          <MergeBox
            csrfToken={csrfToken}
            context={context}
            view={view}
            conflicts={rest.conflicts}
            refused={refused.merge ?? null}
          />
          <CommitsCard
            commits={rest.commits}
            code={context.code}
            all={`${context.path}/${row.iid}/commits`}
          />
          <Discussion {...props} />
        </div>
        <div>
          <MergeRequestSide
            context={context}
            row={row}
            csrfToken={csrfToken}
            participants={rest.participants}
            labels={rest.labels}
            milestones={rest.milestones}
            closedIssues={rest.closedIssues}
          />
        </div>
      </div>
    </MergeRequestFrame>
  );
}

function Description({ pageContext, context, view: { row } }: MergeRequestPageProps): VNode {
  const { description, iid } = row;
  if (!description) return <p class="text-muted-foreground">No description.</p>;
  if (!mayChangeHere(context, row)) return <Markdown text={description} />;
  const action = `${context.path}/${iid}/edit/task`;
  return <TaskList text={description} action={action} csrfToken={pageContext.csrfToken} />;
}

function Discussion({
  pageContext,
  context,
  view,
  timeline,
  refused,
}: MergeRequestPageProps): VNode {
  const discussion = discussionOf(view.row, context.project, context.viewer);
  return (
    <DiscussionCard
      title="Activity"
      notes={timeline.notes}
      timeline={<EditableTimeline {...timeline} csrfToken={pageContext.csrfToken} />}
      form={
        <CommentForm
          pageContext={pageContext}
          action={timeline.notesPath}
          closed={closedReason(discussion, context.project)}
          mayHide={seesInternalNotes(discussion.reader)}
          takesCommands
          refused={refused.comment ?? null}
        />
      }
    />
  );
}

interface MergeRequestSideProps extends Contents {
  context: MergeRequestPageContext;
  row: FoundMergeRequest;
  csrfToken: string;
}

/** Side bar of a merge request: its attributes, some with a form of their own. */
function MergeRequestSide(props: MergeRequestSideProps): VNode {
  const { context, row, csrfToken, participants, closedIssues, labels, milestones } = props;
  const page = `${context.path}/${row.iid}`;
  const values = valuesOfMergeRequest(row);
  const action = `${page}/attributes`;
  const mayPlan = mayPlanHere(context, row);
  const edit = (field: VNode) => (mayPlan ? { action, csrfToken, field } : undefined);
  const shared = { values, errors: null, page };
  return (
    <aside aria-label="Attributes">
      <SideField
        label="Assignees"
        edit={edit(<UsersField name="assignees" label="Assignees" {...shared} />)}
      >
        <People users={row.assignees} />
      </SideField>
      <SideField
        label="Reviewers"
        edit={edit(<UsersField name="reviewers" label="Reviewers" {...shared} />)}
      >
        <People users={row.reviewers} />
      </SideField>
      <SideField label="Labels" edit={edit(<LabelsField {...shared} />)}>
        {row.labels.length === 0 ? undefined : (
          <Labels names={row.labels} known={labels} list={context.path} />
        )}
      </SideField>
      <SideField
        label="Milestone"
        edit={edit(<MilestoneField values={values} errors={null} milestones={milestones} />)}
      >
        {row.milestone === null ? undefined : (
          <a class="prose-link" href={`${context.milestones}/${row.milestone.iid}`}>
            {row.milestone.title}
          </a>
        )}
      </SideField>
      <SideField label={row.state === 'merged' ? 'Closed issues' : 'Closes issues'}>
        <ClosedIssues issues={closedIssues} path={context.issues} />
      </SideField>
      <SideField label="Source branch">
        {row.removeSourceBranch ? 'Deleted on merge' : 'Kept'}
      </SideField>
      <SideField label="Participants">
        <People users={participants} />
      </SideField>
      {context.viewer !== null && (
        <SubscriptionField
          subscribed={row.subscribed}
          action={`${page}/subscription`}
          csrfToken={csrfToken}
        />
      )}
      <SideField label="Activity">
        <span>
          Updated <Time value={row.updatedAt} />
        </span>
      </SideField>
    </aside>
  );
}

function ClosedIssues({ issues, path }: { issues: IssueRow[] | null; path: string }): VNode {
  if (issues === null) return <>Unavailable</>;
  if (issues.length === 0) return <span class="text-muted-foreground">None</span>;
  return (
    <ul class="grid gap-1">
      {issues.map(({ iid, title }) => (
        <li key={iid}>
          <a class="prose-link" href={`${path}/${iid}`}>
            {`#${iid} ${title}`}
          </a>
        </li>
      ))}
    </ul>
  );
}
