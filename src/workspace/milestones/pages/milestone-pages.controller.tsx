import { Controller, Get, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { PostButton, SideField } from '../../../core/ui/components/form.js';
import { filledIn } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  MilestonesRepository,
  type MilestoneProgress,
  type MilestoneRow,
} from '../milestones.repository.js';
import {
  milestoneIssuesPath,
  milestonePageContext,
  milestonePageInfo,
  MilestoneSections,
  type MilestonePageContext,
} from './milestone-page-context.js';
import {
  MilestonesQuery,
  MilestonesPage,
  datesOf,
  MilestoneState,
  ProgressOf,
} from './milestones.page.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { Time } from '../../../core/ui/components/time.js';

/** The list of a project's milestones, and the page of one. */
@Controller(atRoot('*project_path/-/milestones'))
export class MilestonePagesController {
  constructor(
    private readonly repository: MilestonesRepository,
    private readonly sections: MilestoneSections,
  ) {}

  /** Lists the milestones of the project, the active ones by default. */
  @Get()
  @ProjectPage('read_milestone', 'anyone')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = milestonePageContext(project, pageContext);
    const query = await parseInput(MilestonesQuery, filledIn(raw));
    const { state, search } = query;
    const [page, counts] = await Promise.all([
      this.repository.list(project.id, { state: state ?? 'active', search }, paging),
      this.repository.countByState(project.id, { search }),
    ]);
    const progressOf = await this.progressOf(project, pageContext.viewer, page.items);
    const content = MilestonesPage({ context, query, page, counts, progressOf, paging });
    return pageContext.render(content, milestonePageInfo(context));
  }

  /** Shows a milestone by its number in the project. */
  @Get(':milestone_iid')
  @ProjectPage('read_milestone', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = milestonePageContext(project, pageContext);
    const milestone = await this.repository.findByIid(project.id, iid);
    const [progressOf, sections] = await Promise.all([
      this.progressOf(project, pageContext.viewer, [milestone]),
      this.sections.of({ milestone, project, pageContext, paging }),
    ]);
    const progress = progressOf?.(milestone.id) ?? null;
    const { csrfToken } = pageContext;
    const content = MilestonePage({ csrfToken, context, milestone, progress, sections });
    return pageContext.render(content, milestonePageInfo(context, milestone.title));
  }

  /** Counts the issues that the viewer can see; null in a project with issues turned off. */
  private async progressOf(
    project: ProjectRow,
    viewer: Viewer | null,
    milestones: readonly MilestoneRow[],
  ): Promise<((id: number) => MilestoneProgress) | null> {
    if (!project.issuesEnabled) return null;
    const access = { ...project, visibility: VISIBILITY.private, viewer };
    const seesConfidential = canInProject('read_confidential_issue', access);
    const ids = milestones.map(({ id }) => id);
    const viewerId = viewer?.id ?? null;
    const found = await this.repository.progressOf(ids, { seesConfidential, viewerId });
    return (id) => found.get(id) ?? { total: 0, closed: 0 };
  }
}

interface MilestonePageProps {
  csrfToken: string;
  context: MilestonePageContext;
  milestone: MilestoneRow;
  /** null where there are no issues to count. */
  progress: MilestoneProgress | null;
  /** Cards of other features. */
  sections: VNode[];
}

/** A milestone: what it is, and how far the work has come. */
function MilestonePage(props: MilestonePageProps): VNode {
  const { context, milestone, progress, sections } = props;
  return (
    <>
      <PageHeader
        title={milestone.title}
        meta={<Summary milestone={milestone} />}
        actions={context.mayChange ? <Actions {...props} /> : undefined}
      />
      <div class="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div class="grid grid-cols-1 gap-4">
          <Card title="Description">
            {milestone.description ? (
              <Markdown text={milestone.description} />
            ) : (
              <p class="text-muted-foreground">No description.</p>
            )}
          </Card>
          {sections}
        </div>
        <aside aria-label="Attributes">
          {progress !== null && (
            <SideField label="Progress">
              <ProgressOf progress={progress} />
              <IssuesLink context={context} milestone={milestone} />
            </SideField>
          )}
          <SideField label="Start date">
            {milestone.startDate === null ? undefined : <Time value={milestone.startDate} />}
          </SideField>
          <SideField label="Due date">
            {milestone.dueDate === null ? undefined : <Time value={milestone.dueDate} />}
          </SideField>
          <SideField label="Activity">
            <span>
              Created <Time value={milestone.createdAt} />
            </span>
            <span>
              Updated <Time value={milestone.updatedAt} />
            </span>
          </SideField>
        </aside>
      </div>
    </>
  );
}

function Summary({ milestone }: Pick<MilestonePageProps, 'milestone'>): VNode {
  return (
    <div class="flex flex-wrap items-center gap-2">
      <MilestoneState milestone={milestone} />
      <span>{datesOf(milestone)}</span>
    </div>
  );
}

function IssuesLink({
  context,
  milestone,
}: Pick<MilestonePageProps, 'context' | 'milestone'>): VNode {
  return (
    <a class="prose-link" href={milestoneIssuesPath(context, milestone)}>
      View issues
    </a>
  );
}

function Actions({ csrfToken, context, milestone }: MilestonePageProps): VNode {
  const path = `${context.path}/${milestone.iid}`;
  const isActive = milestone.state === 'active';
  return (
    <>
      <ButtonLink href={`${path}/edit`} variant="outline">
        Edit
      </ButtonLink>
      <PostButton
        action={`${path}/state`}
        csrfToken={csrfToken}
        fields={{ state_event: isActive ? 'close' : 'activate' }}
      >
        {isActive ? 'Close milestone' : 'Reopen milestone'}
      </PostButton>
      <OverflowMenu of={`milestone ${milestone.title}`}>
        <ConfirmButton
          label="Delete"
          title={`Delete milestone “${milestone.title}”?`}
          question={`This permanently deletes ${milestone.title}. Its issues are kept.`}
          confirm="Delete milestone"
          action={`${path}/delete`}
          csrfToken={csrfToken}
        />
      </OverflowMenu>
    </>
  );
}
