import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { FormErrors, PostButton } from '../../../core/ui/components/form.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { LabelsRepository } from '../../labels/labels.repository.js';
import type { LabelsByName } from '../../labels/pages/label-chips.js';
import {
  MilestonesRepository,
  type NamedMilestone,
} from '../../milestones/milestones.repository.js';
import { mayEditNote, seesInternalNotes } from '../../notes/note-access.js';
import type { NoteRow } from '../../notes/notes.repository.js';
import { NotesService } from '../../notes/notes.service.js';
import { type RefusedComment, closedReason, CommentForm } from '../../notes/pages/note-form.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueNotesService, type DiscussedIssue } from '../issue-notes.service.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { TodoButton } from '../../../core/ui/components/todo-button.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { TaskList } from '../../../core/ui/components/task-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { FoundIssue } from '../sql/issue-list.js';
import {
  DiscussionCard,
  EditableTimeline,
  type TimelineProps,
} from '../../notes/pages/note-timeline.js';
import { IssueMarks, StateBadge } from './issue-list.js';
import {
  issuePageContext,
  issuePageInfo,
  issuePath,
  IssueSections,
  mayChangeHere,
  mayDeleteHere,
  mayPlanHere,
  type IssuePageContext,
} from './issue-page-context.js';
import { IssueSide } from './issue-side.js';

/** Options of the issue page. */
interface View {
  iid: number;
  paging: Paging;
  /** Input of a rejected comment form. */
  refused?: RefusedComment;
}

/** Renders the page of an issue. */
@Injectable()
export class IssuePageRenderer {
  constructor(
    private readonly discussions: IssueNotesService,
    private readonly notes: NotesService,
    private readonly sections: IssueSections,
    private readonly labels: LabelsRepository,
    private readonly milestones: MilestonesRepository,
  ) {}

  /** Throws 404 for an issue that is unknown or that the viewer cannot see. */
  async show(
    pageContext: PageContext,
    project: ProjectRow,
    { iid, paging, refused }: View,
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    const discussion = await this.discussions.of(pageContext.viewer, project, iid);
    const { issue, reader } = discussion;
    const milestoneId = issue.milestone?.id ?? null;
    const [notes, sections, labels, milestones] = await Promise.all([
      this.notes.list(discussion, {}, paging),
      this.sections.of({ issue, project, pageContext }),
      this.labels.byName(project.id, issue.labels),
      mayPlanHere(context, issue) ? this.milestones.choices(project.id, milestoneId) : [],
    ]);
    const timeline = {
      notes,
      paging,
      path: issuePath(context, issue),
      notesPath: `${context.issues}/${iid}/notes`,
      mayEdit: (note: NoteRow) => !project.archived && mayEditNote(note, reader),
    };
    const content = IssuePage({
      pageContext,
      context,
      discussion,
      timeline,
      sections,
      labels,
      milestones,
      refused: refused ?? null,
    });
    const info = issuePageInfo(context, issue.issueType, `${issue.title} (#${iid})`);
    return pageContext.render(content, info, refused === undefined ? 200 : 422);
  }
}

/** Content of the page of an issue. */
interface IssuePageProps {
  pageContext: PageContext;
  context: IssuePageContext;
  discussion: DiscussedIssue;
  timeline: Omit<TimelineProps, 'csrfToken'>;
  /** Cards of other features. */
  sections: VNode[];
  labels: LabelsByName;
  /** Choices of those who can plan. */
  milestones: NamedMilestone[];
  refused: RefusedComment | null;
}

/** Issue or incident: description, assignees, comments and history. */
function IssuePage(props: IssuePageProps): VNode {
  const { pageContext, context, discussion, timeline, sections, labels, milestones, refused } =
    props;
  const { issue } = discussion;
  return (
    <>
      <PageHeader
        title={<Title issue={issue} />}
        meta={<Summary issue={issue} />}
        actions={
          <>
            <TodoButton target={{ type: 'issue', id: issue.id, projectId: issue.projectId }} />
            <Actions {...props} />
          </>
        }
      />
      <FormErrors errors={refused?.errors} />
      <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div class="grid grid-cols-1 gap-4">
          <Card title="Description">
            <Description {...props} />
          </Card>
          {sections}
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
                isPrimary
                refused={refused}
              />
            }
          />
        </div>
        <div>
          <IssueSide
            context={context}
            issue={issue}
            labels={labels}
            milestones={milestones}
            csrfToken={pageContext.csrfToken}
          />
        </div>
      </div>
    </>
  );
}

function Description({ pageContext, context, discussion: { issue } }: IssuePageProps): VNode {
  const { description, iid } = issue;
  if (!description) return <p class="text-muted-foreground">No description.</p>;
  if (!mayChangeHere(context, issue)) return <Markdown text={description} />;
  const action = `${context.issues}/${iid}/edit/task`;
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
      <span class="flex items-center gap-2">
        <Avatar name={issue.author.name} owner={issue.author} />
        <span>
          <a class="prose-link" href={`/${issue.author.username}`}>
            {issue.author.name}
          </a>
          {' opened '}
          <Time value={issue.createdAt} />
        </span>
      </span>
    </div>
  );
}

function Actions({ pageContext, context, discussion: { issue } }: IssuePageProps): VNode | null {
  if (!mayChangeHere(context, issue)) return null;
  const path = `${context.issues}/${issue.iid}`;
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
      {mayDeleteHere(context) && (
        <OverflowMenu of={`${issue.issueType} #${issue.iid}`}>
          <ConfirmButton
            label="Delete"
            title={`Delete ${issue.issueType} #${issue.iid}?`}
            question={`This permanently deletes #${issue.iid} and its comments.`}
            confirm={`Delete ${issue.issueType}`}
            action={`${path}/delete`}
            csrfToken={pageContext.csrfToken}
          />
        </OverflowMenu>
      )}
    </>
  );
}
