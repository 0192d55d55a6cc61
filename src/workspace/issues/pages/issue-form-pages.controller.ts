import { Controller, Get, Post, Query } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { CHANGED_MEANWHILE, toggledTask } from '../../../core/ui/markdown/task-form.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { refusalText } from '../../../core/ui/refusal-text.js';
import {
  MilestonesRepository,
  type NamedMilestone,
} from '../../milestones/milestones.repository.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { CreateIssueDto, UpdateIssueDto } from '../issue.dto.js';
import { IssueRef, type IssueReference } from '../issue-ref.decorator.js';
import { IssueChangesService } from '../issue-changes.service.js';
import { IssuesRepository } from '../issues.repository.js';
import type { IssueResponse } from '../issue.response.js';
import {
  planParams,
  textParams,
  valuesOfForm,
  valuesOfIssue,
  type IssueValues,
} from './issue-form-input.js';
import { IssueFormPage, type IssueFormProps } from './issue-form.page.js';
import {
  issuePath,
  issuePageContext,
  mayChangeHere,
  mayPlanHere,
  placeInfo,
  type IssuePageContext,
} from './issue-page-context.js';
import { NamedAssignees } from './named-assignees.service.js';
import { type ActorContext, RequestContext } from '../../spam/request-context.decorator.js';

type Form = Record<string, unknown>;

/** Forms for new issues and for changing one. */
@Controller(atRoot('*project_path/-/issues'))
export class IssueFormPagesController {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly changes: IssueChangesService,
    private readonly people: NamedAssignees,
    private readonly milestones: MilestonesRepository,
  ) {}

  /** Shows the form for a new issue. */
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

  /** Makes an issue, or shows the form again with what is wrong. */
  @Post('new')
  @RateLimit('create')
  @ProjectPage('create_issue', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @RequestContext() change: ActorContext,
  ): Promise<HttpResponse> {
    const place = creationPageContext(project, pageContext);
    const values = valuesOfForm(form);
    const { confidential, type } = values;
    try {
      const plan = place.mayPlan ? await this.planOf(values) : {};
      const given = { ...textParams(values), ...plan, confidential, issue_type: type };
      const dto = await parseInput(CreateIssueDto, given);
      const issue = await this.changes.create({ project, dto, presentation: pageContext }, change);
      const notice = `Created #${issue.iid}.`;
      return pageContext.redirect(pathOf(place, issue), { notice });
    } catch (error) {
      const errors = formErrors(error);
      return showForm(pageContext, { ...(await this.newProps(place)), values, errors });
    }
  }

  /** Shows the form for changing an issue. */
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

  /** Changes an issue, or shows the form again with what is wrong. */
  @Post(':issue_iid/edit')
  @ProjectPage('read_issue', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssueRef() change: IssueReference,
  ): Promise<HttpResponse> {
    const props = await this.editProps(pageContext, project, change.iid);
    const values = valuesOfForm(form);
    const { confidential, type, isLocked } = values;
    try {
      const rest = { confidential, issue_type: type, discussion_locked: isLocked };
      const plan = props.may.plan ? { ...(await this.planOf(values)), ...rest } : {};
      const dto = await parseInput(UpdateIssueDto, { ...textParams(values), ...plan });
      const issue = await this.changes.update({ project, dto, presentation: pageContext }, change);
      return pageContext.redirect(pathOf(props.place, issue), { notice: 'Changes saved.' });
    } catch (error) {
      return showForm(pageContext, { ...props, values, errors: formErrors(error) });
    }
  }

  /** Toggles a task of the description. */
  @Post(':issue_iid/edit/task')
  @ProjectPage('read_issue', 'signed_in')
  async toggleTask(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssueRef() change: IssueReference,
  ): Promise<HttpResponse> {
    const place = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayChangeHere(place, issue)) throw new NotFoundError();
    const sent = { task: given(form, 'task'), digest: given(form, 'digest') };
    const description = toggledTask(issue.description ?? '', sent);
    const path = issuePath(place, issue);
    if (description === null) return pageContext.redirect(path, { alert: CHANGED_MEANWHILE });
    const dto = await parseInput(UpdateIssueDto, { description });
    try {
      await this.changes.update({ project, dto, presentation: pageContext }, change);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path);
  }

  private async planOf(values: IssueValues): Promise<Form> {
    return planParams(values, await this.people.idsOf(values.assignees));
  }

  /** Throws 404 for what the viewer cannot see or change: nothing leads there. */
  private async editProps(
    pageContext: PageContext,
    project: ProjectRow,
    iid: number,
  ): Promise<EditProps> {
    const place = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, iid);
    if (!mayChangeHere(place, issue)) throw new NotFoundError();
    const plan = mayPlanHere(place, issue);
    const milestones = plan ? await this.choices(place, issue.milestone?.id ?? null) : [];
    return { place, issue, milestones, may: { plan, chooseType: plan, hide: plan } };
  }

  private async newProps(place: IssuePageContext): Promise<BareProps> {
    const may = { plan: place.mayPlan, chooseType: place.mayReport, hide: true };
    const milestones = may.plan ? await this.choices(place, null) : [];
    return { place, issue: null, milestones, may };
  }

  private choices(
    { project }: IssuePageContext,
    present: number | null,
  ): Promise<NamedMilestone[]> {
    return this.milestones.choices(project.id, present);
  }
}

/** All but what was typed in. */
type BareProps = Omit<IssueFormProps, 'csrfToken' | 'values' | 'errors'>;

type EditProps = BareProps & { issue: NonNullable<IssueFormProps['issue']> };

function creationPageContext(project: ProjectRow, pageContext: PageContext): IssuePageContext {
  const place = issuePageContext(project, pageContext);
  if (!place.mayCreate) throw new NotFoundError();
  return place;
}

function showForm(
  pageContext: PageContext,
  props: Omit<IssueFormProps, 'csrfToken'>,
): HttpResponse {
  const { place, issue, values, errors } = props;
  const content = IssueFormPage({ ...props, csrfToken: pageContext.csrfToken });
  const title = issue === null ? `New ${values.type}` : `Edit #${issue.iid}`;
  const info = placeInfo(place, issue?.issueType ?? values.type, title);
  return pageContext.render(content, info, errors === null ? 200 : 422);
}

function pathOf(place: IssuePageContext, { iid, issue_type: issueType }: IssueResponse): string {
  return issuePath(place, { iid, issueType });
}
