import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { CHANGED_MEANWHILE, toggledTask } from '../../../core/ui/markdown/task-form.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { refusalText } from '../../../core/ui/refusal-text.js';
import { NamedAssignees } from '../../../workspace/issues/pages/named-assignees.service.js';
import { MilestonesRepository } from '../../../workspace/milestones/milestones.repository.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { UpdateMergeRequestDto } from '../merge-request.dto.js';
import { MergeRequestRef, type MergeRequestReference } from '../merge-request-ref.decorator.js';
import { MergeRequestsService } from '../merge-requests.service.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { MergePreview } from './merge-preview.service.js';
import {
  attributeParams,
  textParams,
  valuesOfForm,
  valuesOfMergeRequest,
} from './merge-request-form-input.js';
import { MergeRequestFormPage, type MergeRequestFormProps } from './merge-request-form.page.js';
import {
  changeablePageContext,
  mayChangeHere,
  mayPlanHere,
  placeInfo,
} from './merge-request-page-context.js';

type Form = Record<string, unknown>;
type BareProps = Omit<MergeRequestFormProps, 'csrfToken' | 'values' | 'errors'>;

/** The form for changing a merge request. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid/edit'))
export class MergeRequestEditPagesController {
  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly requests: MergeRequestsService,
    private readonly users: NamedAssignees,
    private readonly previews: MergePreview,
    private readonly milestones: MilestonesRepository,
  ) {}

  /** Shows the form. */
  @Get()
  @ProjectPage('read_merge_request', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
  ): Promise<HttpResponse> {
    const props = await this.props(pageContext, project, iid);
    return showForm(pageContext, {
      ...props,
      values: valuesOfMergeRequest(props.row),
      errors: null,
    });
  }

  /** Changes the merge request, or shows the form again with what is wrong. */
  @Post()
  @ProjectPage('read_merge_request', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @MergeRequestRef() change: MergeRequestReference,
  ): Promise<HttpResponse> {
    const props = await this.props(pageContext, project, change.iid);
    const values = valuesOfForm(form);
    try {
      const attributes = props.choices === null ? {} : await this.attributesOf(values);
      const dto = await parseInput(UpdateMergeRequestDto, { ...textParams(values), ...attributes });
      await this.requests.update({ project, dto }, change);
    } catch (error) {
      return showForm(pageContext, { ...props, values, errors: formErrors(error) });
    }
    return pageContext.redirect(`${props.place.path}/${change.iid}`, { notice: 'Changes saved.' });
  }

  /** Toggles a task of the description. */
  @Post('task')
  @ProjectPage('read_merge_request', 'signed_in')
  async toggleTask(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @MergeRequestRef() change: MergeRequestReference,
  ): Promise<HttpResponse> {
    const place = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayChangeHere(place, row)) throw new NotFoundError();
    const sent = { task: given(form, 'task'), digest: given(form, 'digest') };
    const description = toggledTask(row.description ?? '', sent);
    const path = `${place.path}/${row.iid}`;
    if (description === null) return pageContext.redirect(path, { alert: CHANGED_MEANWHILE });
    const dto = await parseInput(UpdateMergeRequestDto, { description });
    try {
      await this.requests.update({ project, dto }, change);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path);
  }

  /** Leaves out the target branch of a merged one, which can no longer change. */
  private async attributesOf(values: ReturnType<typeof valuesOfForm>): Promise<Form> {
    const attributes = await attributeParams(values, this.users);
    const target = values.target === '' ? {} : { target_branch: values.target };
    return { ...attributes, ...target, discussion_locked: values.isLocked };
  }

  /** Throws 404 for what the viewer cannot see or change: nothing leads there. */
  private async props(
    pageContext: PageContext,
    project: ProjectRow,
    iid: number,
  ): Promise<BareProps> {
    const place = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, iid);
    if (!mayChangeHere(place, row)) throw new NotFoundError();
    if (!mayPlanHere(place, row)) return { place, row, choices: null };
    const milestones = await this.milestones.choices(project.id, row.milestone?.id ?? null);
    const branches = row.state === 'merged' ? [] : await this.previews.names(project);
    return { place, row, choices: { milestones, branches } };
  }
}

function showForm(
  pageContext: PageContext,
  props: Omit<MergeRequestFormProps, 'csrfToken'>,
): HttpResponse {
  const { place, row, errors } = props;
  const content = MergeRequestFormPage({ ...props, csrfToken: pageContext.csrfToken });
  const info = placeInfo(place, `Edit !${row.iid}`);
  return pageContext.render(content, info, errors === null ? 200 : 422);
}
