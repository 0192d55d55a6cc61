import { Controller, Get, Post } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { formErrors, FormInput, given } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { CreateMilestoneDto, UpdateMilestoneDto } from '../milestone.dto.js';
import { MilestonesRepository } from '../milestones.repository.js';
import { MilestonesService } from '../milestones.service.js';
import {
  MilestoneFormPage,
  type MilestoneFormProps,
  type MilestoneValues,
} from './milestone-form.page.js';
import {
  milestonePageContext,
  milestonePageInfo,
  type MilestonePageContext,
} from './milestone-page-context.js';

type Form = Record<string, unknown>;

const NOTHING: MilestoneValues = { title: '', description: '', start_date: '', due_date: '' };

/** Forms for milestones, and the buttons of their pages. */
@Controller(atRoot('*project_path/-/milestones'))
export class MilestoneFormPagesController {
  constructor(
    private readonly repository: MilestonesRepository,
    private readonly milestones: MilestonesService,
  ) {}

  @Get('new')
  @ProjectPage('admin_milestone', 'signed_in')
  newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): HttpResponse {
    const context = changeablePageContext(project, pageContext);
    return showForm(pageContext, { context, iid: null, values: NOTHING, errors: null });
  }

  @Post('new')
  @RateLimit('create')
  @ProjectPage('admin_milestone', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const values = valuesOf(form);
    try {
      const dto = await parseInput(CreateMilestoneDto, { ...values });
      const id = await this.milestones.create(project.id, dto, viewer.id);
      const { iid } = await this.repository.findInProject(project.id, id);
      return pageContext.redirect(`${context.path}/${iid}`, { notice: 'Milestone created.' });
    } catch (error) {
      return showForm(pageContext, { context, iid: null, values, errors: formErrors(error) });
    }
  }

  @Get(':milestone_iid/edit')
  @ProjectPage('admin_milestone', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const { title, description, startDate, dueDate } = await this.repository.findByIid(
      project.id,
      iid,
    );
    const dates = { start_date: startDate ?? '', due_date: dueDate ?? '' };
    const values = { title, description: description ?? '', ...dates };
    return showForm(pageContext, { context, iid, values, errors: null });
  }

  @Post(':milestone_iid/edit')
  @ProjectPage('admin_milestone', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
    @FormInput() form: Form,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const { id } = await this.repository.findByIid(project.id, iid);
    const values = valuesOf(form);
    try {
      const dto = await parseInput(UpdateMilestoneDto, { ...values });
      await this.milestones.update(id, dto, viewer.id);
    } catch (error) {
      return showForm(pageContext, { context, iid, values, errors: formErrors(error) });
    }
    return pageContext.redirect(`${context.path}/${iid}`, { notice: 'Changes saved.' });
  }

  @Post(':milestone_iid/state')
  @ProjectPage('admin_milestone', 'signed_in')
  async changeState(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
    @FormInput() form: Form,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const { id } = await this.repository.findByIid(project.id, iid);
    const event = given(form, 'state_event') === 'activate' ? 'activate' : 'close';
    await this.milestones.update(id, { state_event: event }, viewer.id);
    const notice = event === 'close' ? 'Milestone closed.' : 'Milestone reopened.';
    return pageContext.redirect(`${context.path}/${iid}`, { notice });
  }

  /** Deletes a milestone; its issues stay. */
  @Post(':milestone_iid/delete')
  @ProjectPage('admin_milestone', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_iid') iid: number,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const milestone = await this.repository.findByIid(project.id, iid);
    await this.milestones.delete(milestone, viewer.id);
    return pageContext.redirect(context.path, { notice: 'Milestone deleted.' });
  }
}

/** Throws 404 for users who cannot send the form. */
function changeablePageContext(
  project: ProjectRow,
  pageContext: PageContext,
): MilestonePageContext {
  const context = milestonePageContext(project, pageContext);
  if (!context.mayChange) throw new NotFoundError();
  return context;
}

/** Browsers send line breaks of text fields as CRLF (HTML standard). */
function valuesOf(form: Form): MilestoneValues {
  return {
    title: given(form, 'title'),
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    start_date: given(form, 'start_date'),
    due_date: given(form, 'due_date'),
  };
}

function showForm(
  pageContext: PageContext,
  props: Omit<MilestoneFormProps, 'csrfToken'>,
): HttpResponse {
  const { context, iid, errors } = props;
  const content = MilestoneFormPage({ ...props, csrfToken: pageContext.csrfToken });
  const title = iid === null ? 'New milestone' : 'Edit milestone';
  return pageContext.render(
    content,
    milestonePageInfo(context, title),
    errors === null ? 200 : 422,
  );
}
