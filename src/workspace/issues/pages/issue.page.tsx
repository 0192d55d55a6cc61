import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { PostButton } from '../../../core/ui/components/form.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { TaskList } from '../../../core/ui/components/task-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { FoundIssue } from '../sql/issue-columns.js';
import { CommentForm, type RefusedComment } from './comment-form.js';
import { IssueMarks, StateBadge } from './issue-badges.js';
import {
  mayChangeHere,
  mayDeleteHere,
  ProjectLayout,
  type IssuePageContext,
} from './issue-page-context.js';
import { IssueSide } from './issue-side.js';
import { IssueTimeline, type TimelineProps } from './issue-timeline.js';

/** An issue with all that its page shows of it. */
export interface IssuePageProps {
  pageContext: PageContext;
  place: IssuePageContext;
  issue: FoundIssue;
  timeline: Omit<TimelineProps, 'csrfToken'>;
  /** Cards of other features. */
  sections: VNode[];
  refused: RefusedComment | null;
}

/** Issue or incident: description, assignees, comments and history. */
export function IssuePage(props: IssuePageProps): VNode {
  const { pageContext, place, issue, timeline, sections, refused } = props;
  return (
    <ProjectLayout
      place={place}
      type={issue.issueType}
      title={<Title issue={issue} />}
      description={<Summary issue={issue} />}
      actions={<Actions {...props} />}
    >
      <FormErrors errors={refused?.errors} />
      <div class="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div class="grid grid-cols-1 gap-6">
          <Card title="Description">
            <Description {...props} />
          </Card>
          {sections}
          <Card title="Activity">
            <CommentForm
              pageContext={pageContext}
              action={timeline.notesPath}
              archived={place.project.archived}
              discussionLocked={issue.discussionLocked}
              reader={{ viewer: place.viewer, accessLevel: issue.accessLevel }}
              refused={refused}
            />
            <IssueTimeline {...timeline} csrfToken={pageContext.csrfToken} />
          </Card>
        </div>
        <div class="grid grid-cols-1 gap-6">
          <IssueSide place={place} issue={issue} csrfToken={pageContext.csrfToken} />
        </div>
      </div>
    </ProjectLayout>
  );
}

function Description({ pageContext, place, issue }: IssuePageProps): VNode {
  const { description, iid } = issue;
  if (!description) return <p class="text-muted-foreground">No description.</p>;
  if (!mayChangeHere(place, issue)) return <Markdown text={description} />;
  const action = `${place.issues}/${iid}/edit/task`;
  return <TaskList text={description} action={action} csrfToken={pageContext.csrfToken} />;
}

function Title({ issue }: { issue: FoundIssue }): VNode {
  return (
    <>
      {issue.title} <span class="text-muted-foreground font-normal">#{issue.iid}</span>
    </>
  );
}

function Summary({ issue }: { issue: FoundIssue }): VNode {
  return (
    <div class="flex flex-wrap items-center gap-2">
      <StateBadge state={issue.state} />
      <IssueMarks issue={issue} />
      <span>
        {'opened '}
        <Time value={issue.createdAt} />
        {' by '}
        <a class="prose-link" href={`/${issue.author.username}`}>
          {issue.author.name}
        </a>
      </span>
    </div>
  );
}

function Actions({ pageContext, place, issue }: IssuePageProps): VNode | null {
  if (!mayChangeHere(place, issue)) return null;
  const path = `${place.issues}/${issue.iid}`;
  const isOpen = issue.state === 'opened';
  return (
    <>
      <ButtonLink href={`${path}/edit`} variant="outline">
        Edit
      </ButtonLink>
      <PostButton
        action={`${path}/state`}
        csrfToken={pageContext.csrfToken}
        fields={{ state_event: isOpen ? 'close' : 'reopen' }}
      >
        {`${isOpen ? 'Close' : 'Reopen'} ${issue.issueType}`}
      </PostButton>
      {mayDeleteHere(place) && (
        <ConfirmButton
          label="Delete"
          question={`#${issue.iid} and what was said about it will be gone for good.`}
          confirm={`Delete ${issue.issueType}`}
          action={`${path}/delete`}
          csrfToken={pageContext.csrfToken}
        />
      )}
    </>
  );
}
