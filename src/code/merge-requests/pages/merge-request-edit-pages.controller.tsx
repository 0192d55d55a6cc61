import { Controller, Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { CHANGED_MEANWHILE, toggledTask } from '../../../core/ui/components/task-list.js';
import {
  formErrors,
  FormInput,
  given,
  refusalText,
  type FormProblems,
} from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { LockField } from '../../../workspace/issues/pages/issuable-fields.js';
import { NamedAssignees } from '../../../workspace/issues/pages/named-assignees.service.js';
import {
  MilestonesRepository,
  type NamedMilestone,
} from '../../../workspace/milestones/milestones.repository.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../../workspace/spam/request-context.decorator.js';
import { UpdateMergeRequestDto } from '../merge-request.dto.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { MergeRequestsService } from '../merge-requests.service.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';
import { MergePreview } from './merge-preview.service.js';
import {
  attributeParams,
  BranchField,
  type MergeRequestValues,
  PlanFields,
  TextFields,
  textParams,
  valuesOfForm,
  valuesOfMergeRequest,
} from './merge-request-fields.js';
import {
  changeablePageContext,
  mayChangeHere,
  mayPlanHere,
  type MergeRequestPageContext,
  mergeRequestPageInfo,
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

  @Post()
  @ProjectPage('read_merge_request', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('merge_request_iid') change: IssuableReference,
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
    return pageContext.redirect(`${props.context.path}/${change.iid}`, {
      notice: 'Changes saved.',
    });
  }

  @Post('task')
  @ProjectPage('read_merge_request', 'signed_in')
  async toggleTask(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @IssuableRef('merge_request_iid') change: IssuableReference,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayChangeHere(context, row)) throw new NotFoundError();
    const sent = { task: given(form, 'task'), digest: given(form, 'digest') };
    const description = toggledTask(row.description ?? '', sent);
    const path = `${context.path}/${row.iid}`;
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
    const context = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, iid);
    if (!mayChangeHere(context, row)) throw new NotFoundError();
    if (!mayPlanHere(context, row)) return { context, row, choices: null };
    const milestones = await this.milestones.choices(project.id, row.milestone?.id ?? null);
    const branches = row.state === 'merged' ? [] : await this.previews.names(project);
    return { context, row, choices: { milestones, branches } };
  }
}

function showForm(
  pageContext: PageContext,
  props: Omit<MergeRequestFormProps, 'csrfToken'>,
): HttpResponse {
  const { context, row, errors } = props;
  const content = MergeRequestFormPage({ ...props, csrfToken: pageContext.csrfToken });
  const info = mergeRequestPageInfo(context, `Edit !${row.iid}`);
  return pageContext.render(content, info, errors === null ? 200 : 422);
}

/** A merge request, and what is in the form for changing it. */
interface MergeRequestFormProps {
  csrfToken: string;
  context: MergeRequestPageContext;
  row: FoundMergeRequest;
  /** Choices for users who plan the work; null for those who change the texts only. */
  choices: { milestones: NamedMilestone[]; branches: string[] } | null;
  values: MergeRequestValues;
  errors: FormProblems | null;
}

/** The form for changing a merge request. */
function MergeRequestFormPage(props: MergeRequestFormProps): VNode {
  const { csrfToken, context, row, choices, values, errors } = props;
  const path = `${context.path}/${row.iid}`;
  return (
    <>
      <PageHeader title={`Edit !${row.iid}`} />
      <Card>
        <Form action={`${path}/edit`} csrfToken={csrfToken} label="Merge request">
          <FormErrors errors={errors} />
          <TextFields values={values} errors={errors} page={path} />
          {choices !== null && row.state !== 'merged' && (
            <BranchField
              name="target_branch"
              label="Target branch"
              page={path}
              names={choices.branches}
              value={values.target}
              errors={errors?.fields['target_branch']}
            />
          )}
          {choices !== null && (
            <>
              <PlanFields
                values={values}
                errors={errors}
                page={path}
                milestones={choices.milestones}
              />
              <LockField isLocked={values.isLocked} />
            </>
          )}
          <FormActions submit="Save changes" cancel={path} />
        </Form>
      </Card>
    </>
  );
}
