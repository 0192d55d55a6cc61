import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth, CurrentUser } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { ForbiddenError, InvalidParamsError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { VisibleNamespacesRepository } from '../../groups/visible-namespaces.repository.js';
import { CreateProjectDto, NewProjectPageDto } from '../project.dto.js';
import { ProjectCreationService } from '../project-creation.service.js';
import { fullPathOf, ProjectsRepository } from '../projects.repository.js';
import { ProjectNamespaces } from '../project-namespaces.service.js';
import { NewProjectPage, type NewProjectValues } from './new-project.page.js';

type Form = Record<string, unknown>;

/** Making projects. */
@Controller(atRoot('projects/new'))
@Page('signed_in')
export class NewProjectPagesController {
  constructor(
    private readonly projectNamespaces: ProjectNamespaces,
    private readonly namespaces: VisibleNamespacesRepository,
    private readonly creation: ProjectCreationService,
    private readonly projects: ProjectsRepository,
  ) {}

  /** Shows the form. */
  @Get()
  form(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { namespace_id: wish }: NewProjectPageDto,
  ): Promise<HttpResponse> {
    const values = { ...valuesOf({}), namespaceId: wish == null ? '' : String(wish) };
    return this.show(pageContext, viewer, {
      values: { ...values, withReadme: true },
      errors: null,
    });
  }

  /** Creates the project, or shows the form again with what is wrong. */
  @Post()
  @RateLimit('create')
  async create(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    try {
      const path = await this.make(form, viewer, auth);
      return pageContext.redirect(`/${path}`, { notice: 'Project created.' });
    } catch (error) {
      return this.show(pageContext, viewer, { values: valuesOf(form), errors: problemsOf(error) });
    }
  }

  /** Returns the full path of the new project. */
  private async make(form: Form, viewer: Viewer, auth: AuthContext): Promise<string> {
    if (given(form, 'name').trim() === '') throw new InvalidParamsError(['name is missing']);
    const { path, ...others } = form;
    const dto = await parseInput(CreateProjectDto, path === '' ? others : form);
    const namespaceId = await this.projectNamespaces.findForNew(dto.namespace_id, viewer);
    const id = await this.creation.create({ dto, namespaceId, creator: viewer, viewer }, auth);
    return fullPathOf(await this.projects.getById(id, viewer.id));
  }

  private async show(
    pageContext: PageContext,
    viewer: Viewer,
    filled: { values: NewProjectValues; errors: FormProblems | null },
  ): Promise<HttpResponse> {
    const namespaces = await this.namespaces.findChoices(viewer);
    const content = NewProjectPage({ csrfToken: pageContext.csrfToken, namespaces, ...filled });
    const info = { title: 'New project', nav: 'projects' } as const;
    return pageContext.render(content, info, filled.errors === null ? 200 : 422);
  }
}

function valuesOf(form: Form): NewProjectValues {
  return {
    name: given(form, 'name'),
    path: given(form, 'path'),
    description: given(form, 'description'),
    namespaceId: given(form, 'namespace_id'),
    visibility: given(form, 'visibility'),
    withReadme: given(form, 'initialize_with_readme') === 'true',
  };
}

/** The project limit is refused with 403; the form shows it as an error. */
function problemsOf(error: unknown): FormProblems {
  if (!(error instanceof ForbiddenError)) return formErrors(error);
  const text = String(error.body['message']).replace('403 Forbidden - ', '');
  return { fields: {}, general: [`${text}.`] };
}
