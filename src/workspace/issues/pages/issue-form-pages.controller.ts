import { Controller, Get, Post, Query } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { CHANGED_MEANWHILE, toggledTask } from '../../../core/ui/components/task-list.js';
import { formErrors, FormInput, given, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  MilestonesRepository,
  type NamedMilestone,
} from '../../milestones/milestones.repository.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  IssuableRef,
  RequestContext,
  type ActorContext,
  type IssuableReference,
} from '../../spam/request-context.decorator.js';
import { CreateIssueDto, UpdateIssueDto } from '../issue.dto.js';
import { IssuesRepository } from '../issues.repository.js';
import { IssuesService } from '../issues.service.js';
import {
  planningParams,
  textParams,
  valuesOfForm,
  valuesOfIssue,
  type IssueValues,
  IssueFormPage,
  type IssueFormProps,
} from './issue-form.page.js';
import {
  issuePath,
  issuePageContext,
  mayChangeHere,
  mayPlanHere,
  issuePageInfo,
  type IssuePageContext,
} from './issue-page-context.js';
import { NamedAssignees } from './named-assignees.service.js';

type Form = Record<string, unknown>;

/** Forms for new issues and for changing one. */
@Controller(atRoot('*project_path/-/issues'))
export class IssueFormPagesController {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly service: IssuesService,
    private readonly people: NamedAssignees,
    private readonly milestones: MilestonesRepository,
  ) {}

  @Get('new')
  @ProjectPage('create_issue', 'signed_in')
  async newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() { type }: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const props = await this.newProps(creationPageContext(project, pageContext));
    const values = valuesOfForm({ issue_type: type });
    return showForm(pageContext, { ...props, values, errors: null });
  }

  @Post('new')
  @RateLimit('create')
  @ProjectPage('create_issue', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @RequestContext() actor: ActorContext,
  ): Promise<HttpResponse> {
    const context = creationPageContext(project, pageContext);
    const values = valuesOfForm(form);
    const { confidential, type } = values;
    try {
      const plan = context.mayPlan ? await this.planOf(values) : {};
      const given = { ...textParams(values), ...plan, confidential, issue_type: type };
      const dto = await parseInput(CreateIssueDto, given);
      const iid = await this.service.create(project, dto, actor);
      const path = await this.pathOf(context, iid);
      return pageContext.redirect(path, { notice: `Created #${iid}.` });
    } catch (error) {
      const errors = formErrors(error);
      return showForm(pageContext, { ...(await this.newProps(context)), values, errors });
    }
  }

  @Get(':issue_iid/edit')
  @ProjectPage('read_issue', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('issue_iid') iid: number,
  ): Promise<HttpResponse> {
    const props = await this.editProps(pageContext, project, iid);
    return showForm(pageContext, { ...props, values: valuesOfIssue(props.issue), errors: null });
  }

  @Post(':issue_iid/edit')
  @ProjectPage('read_issue', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const props = await this.editProps(pageContext, project, reference.iid);
    const values = valuesOfForm(form);
    const { confidential, type, isLocked } = values;
    try {
      const rest = { confidential, issue_type: type, discussion_locked: isLocked };
      const plan = props.may.plan ? { ...(await this.planOf(values)), ...rest } : {};
      const dto = await parseInput(UpdateIssueDto, { ...textParams(values), ...plan });
      await this.service.update(project, dto, reference);
      const path = await this.pathOf(props.context, reference.iid);
      return pageContext.redirect(path, { notice: 'Changes saved.' });
    } catch (error) {
      return showForm(pageContext, { ...props, values, errors: formErrors(error) });
    }
  }

  @Post(':issue_iid/edit/task')
  @ProjectPage('read_issue', 'signed_in')
  async toggleTask(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<HttpResponse> {
    const context = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, reference.iid);
    if (!mayChangeHere(context, issue)) throw new NotFoundError();
    const sent = { task: given(form, 'task'), digest: given(form, 'digest') };
    const description = toggledTask(issue.description ?? '', sent);
    const path = issuePath(context, issue);
    if (description === null) return pageContext.redirect(path, { alert: CHANGED_MEANWHILE });
    const dto = await parseInput(UpdateIssueDto, { description });
    try {
      await this.service.update(project, dto, reference);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path);
  }

  private async planOf(values: IssueValues): Promise<Form> {
    return planningParams(values, await this.people.idsOf(values.assignees));
  }

  /** Throws 404 for what the viewer cannot see or change: nothing leads there. */
  private async editProps(
    pageContext: PageContext,
    project: ProjectRow,
    iid: number,
  ): Promise<EditProps> {
    const context = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, iid);
    if (!mayChangeHere(context, issue)) throw new NotFoundError();
    const plan = mayPlanHere(context, issue);
    const milestones = plan ? await this.choices(context, issue.milestone?.id ?? null) : [];
    return { context, issue, milestones, may: { plan, chooseType: plan, hide: plan } };
  }

  private async newProps(context: IssuePageContext): Promise<BareProps> {
    const may = { plan: context.mayPlan, chooseType: context.mayReport, hide: true };
    const milestones = may.plan ? await this.choices(context, null) : [];
    return { context, issue: null, milestones, may };
  }

  private async pathOf(context: IssuePageContext, iid: number): Promise<string> {
    const { project, viewer } = context;
    return issuePath(context, await this.issues.findVisible(viewer, project.id, iid));
  }

  private choices(
    { project }: IssuePageContext,
    present: number | null,
  ): Promise<NamedMilestone[]> {
    return this.milestones.choices(project.id, present);
  }
}

/** Props without the values. */
type BareProps = Omit<IssueFormProps, 'csrfToken' | 'values' | 'errors'>;

type EditProps = BareProps & { issue: NonNullable<IssueFormProps['issue']> };

function creationPageContext(project: ProjectRow, pageContext: PageContext): IssuePageContext {
  const context = issuePageContext(project, pageContext);
  if (!context.mayCreate) throw new NotFoundError();
  return context;
}

function showForm(
  pageContext: PageContext,
  props: Omit<IssueFormProps, 'csrfToken'>,
): HttpResponse {
  const { context, issue, values, errors } = props;
  const content = IssueFormPage({ ...props, csrfToken: pageContext.csrfToken });
  const title = issue === null ? `New ${values.type}` : `Edit #${issue.iid}`;
  const info = issuePageInfo(context, issue?.issueType ?? values.type, title);
  return pageContext.render(content, info, errors === null ? 200 : 422);
}
