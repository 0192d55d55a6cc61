import { Controller, Get, Post } from '@nestjs/common';
import { CurrentUser } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { BranchChanges } from '../branch-changes.service.js';
import { CreateBranchDto } from '../ref.dto.js';
import { codeAddresses } from './addresses.js';
import type { CodeView } from './code-frame.js';
import { NewRefPage, type RefFields } from './new-ref.page.js';
import { mayPushHere } from './ref-rights.js';

type Form = Record<string, unknown>;

/** Making and deleting branches. */
@Controller(atRoot('*project_path/-/branches'))
export class BranchChangePagesController {
  constructor(private readonly changes: BranchChanges) {}

  /** Shows the form for a new branch. */
  @Get('new')
  @ProjectPage('push_code', 'signed_in')
  newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): HttpResponse {
    const view = changeable({ pageContext, project });
    const ref = project.defaultBranch ?? '';
    return showForm(view, { name: '', ref, message: '' }, null);
  }

  /** Makes a branch, or shows the form again with what is wrong. */
  @Post()
  @RateLimit('create')
  @ProjectPage('push_code', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const view = changeable({ pageContext, project });
    try {
      const { branch, ref } = await parseInput(CreateBranchDto, form);
      await this.changes.create({ project, viewer }, branch, ref);
      const address = codeAddresses(project).tree(branch);
      return pageContext.redirect(address, { notice: `Branch ${branch} created.` });
    } catch (error) {
      const fields = { name: given(form, 'branch'), ref: given(form, 'ref'), message: '' };
      return showForm(view, fields, formErrors(error));
    }
  }

  /** Deletes a branch. The default branch cannot be deleted. */
  @Post('delete')
  @ProjectPage('push_code', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    changeable({ pageContext, project });
    const name = given(form, 'branch');
    await this.changes.delete({ project, viewer }, name, NO_PRECONDITIONS);
    const { branches } = codeAddresses(project);
    return pageContext.redirect(branches, { notice: `Branch ${name} deleted.` });
  }
}

/** Hides the existence of these pages from users who cannot push. */
function changeable(view: CodeView): CodeView {
  if (!view.project.repositoryEnabled || !mayPushHere(view)) throw new NotFoundError();
  return view;
}

function showForm(view: CodeView, fields: RefFields, errors: FormProblems | null): HttpResponse {
  const content = NewRefPage({ ...view, kind: 'branch', fields, errors });
  const info = projectInfo(view.project, 'New branch');
  return view.pageContext.render(content, info, errors === null ? 200 : 422);
}
