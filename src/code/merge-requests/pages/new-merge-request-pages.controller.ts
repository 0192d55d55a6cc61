import { Controller, Get, Post, Query } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { NamedAssignees } from '../../../workspace/issues/pages/named-assignees.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import {
  type ActorContext,
  RequestContext,
} from '../../../workspace/spam/request-context.decorator.js';
import { MilestonesRepository } from '../../../workspace/milestones/milestones.repository.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { titleOf } from '../../repository/pages/commits.page.js';
import { CreateMergeRequestDto } from '../merge-request.dto.js';
import type { Branches } from '../merge-request-branches.service.js';
import { MergeRequestsService } from '../merge-requests.service.js';
import { type BranchPreview, MergePreview } from './merge-preview.service.js';
import {
  attributeParams,
  textParams,
  valuesOfForm,
  type MergeRequestValues,
} from './merge-request-fields.js';
import {
  changeablePageContext,
  mergeRequestPageInfo,
  type MergeRequestPageContext,
} from './merge-request-page-context.js';
import { NewMergeRequestPage } from './new-merge-request.page.js';

type Form = Record<string, unknown>;

/** Input of the rejected form. */
interface Sent {
  values: MergeRequestValues;
  errors: FormProblems;
}

/** Opening merge requests. */
@Controller(atRoot('*project_path/-/merge_requests/new'))
export class NewMergeRequestPagesController {
  constructor(
    private readonly previews: MergePreview,
    private readonly users: NamedAssignees,
    private readonly milestones: MilestonesRepository,
    private readonly requests: MergeRequestsService,
  ) {}

  /** Asks for the branches; when they are chosen, shows their commits and the form. */
  @Get()
  @ProjectPage('create_merge_request', 'signed_in')
  newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = creationPageContext(project, pageContext);
    const chosen = (query['merge_request'] ?? {}) as Form;
    return this.show(pageContext, context, {
      branches: branchesIn(chosen, project),
      paging,
      sent: null,
    });
  }

  @Post()
  @RateLimit('create')
  @ProjectPage('create_merge_request', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Form,
    @RequestContext() change: ActorContext,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = creationPageContext(project, pageContext);
    const values = valuesOfForm(form);
    const branches = branchesIn(form, project);
    try {
      const named = { source_branch: branches.source, target_branch: branches.target };
      const attributes = await attributeParams(values, this.users);
      const dto = await parseInput(CreateMergeRequestDto, {
        ...textParams(values),
        ...attributes,
        ...named,
      });
      const iid = await this.requests.create({ project, dto }, change);
      return pageContext.redirect(`${context.path}/${iid}`, { notice: `Created !${iid}.` });
    } catch (error) {
      const sent = { values, errors: formErrors(error) };
      return this.show(pageContext, context, { branches, paging, sent });
    }
  }

  private async show(
    pageContext: PageContext,
    context: MergeRequestPageContext,
    { branches, paging, sent }: { branches: Branches; paging: Paging; sent: Sent | null },
  ): Promise<HttpResponse> {
    const { project, viewer } = context;
    const looking = { project, viewer, paging };
    const names = await this.previews.names(project);
    const preview = branches.source === '' ? null : await this.previews.of(looking, branches);
    const milestones = await this.milestones.choices(project.id, null);
    const values = sent?.values ?? suggestedValues(preview);
    const content = NewMergeRequestPage({
      csrfToken: pageContext.csrfToken,
      ...{ context, names, branches, preview, milestones, values },
      errors: sent?.errors ?? null,
    });
    return pageContext.render(
      content,
      mergeRequestPageInfo(context, 'New merge request'),
      sent === null ? 200 : 422,
    );
  }
}

/** Throws 404 where the viewer cannot open merge requests. */
function creationPageContext(
  project: ProjectRow,
  pageContext: PageContext,
): MergeRequestPageContext {
  const context = changeablePageContext(project, pageContext);
  if (!context.mayCreate || project.emptyRepo) throw new NotFoundError();
  return context;
}

function branchesIn(form: Form, { defaultBranch }: ProjectRow): Branches {
  const target = given(form, 'target_branch');
  return {
    source: given(form, 'source_branch'),
    target: target === '' ? (defaultBranch ?? '') : target,
  };
}

/** The newest commit often has a suitable title. */
function suggestedValues(preview: BranchPreview | FormProblems | null): MergeRequestValues {
  const newest = preview !== null && 'commits' in preview ? preview.commits.items[0] : undefined;
  const title = newest === undefined ? '' : titleOf(newest).slice(0, MAX_TITLE);
  return { ...valuesOfForm({}), title };
}

const MAX_TITLE = 255;
