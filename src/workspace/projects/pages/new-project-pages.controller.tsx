import { Controller, Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../../core/access/auth-context.js';
import { ForbiddenError, InvalidParamsError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { ContainerTextFields, type ContainerTexts } from '../../groups/pages/container-form.js';
import {
  VisibleNamespacesRepository,
  type NamespaceChoice,
} from '../../groups/visible-namespaces.repository.js';
import { CreateProjectDto, NewProjectPageDto } from '../project.dto.js';
import { ProjectsService } from '../projects.service.js';
import { fullPathOf, ProjectsRepository } from '../projects.repository.js';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { VisibilityField } from '../../../identity/members/pages/visibility.js';

type Form = Record<string, unknown>;

/** Making projects. */
@Controller(atRoot('projects/new'))
@Page('signed_in')
export class NewProjectPagesController {
  constructor(
    private readonly service: ProjectsService,
    private readonly namespaces: VisibleNamespacesRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  @Get()
  form(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { namespace_id: namespaceId }: NewProjectPageDto,
  ): Promise<HttpResponse> {
    const values = { ...valuesOf({}), namespaceId: String(namespaceId ?? '') };
    return this.show(pageContext, viewer, {
      values: { ...values, withReadme: true },
      errors: null,
    });
  }

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
    const namespaceId = await this.service.findForNew(dto.namespace_id, viewer);
    const id = await this.service.create({ dto, namespaceId, creator: viewer, viewer }, auth);
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

/** The fields of a new project as texts. */
interface NewProjectValues extends ContainerTexts {
  namespaceId: string;
  visibility: string;
  withReadme: boolean;
}

interface NewProjectPageProps {
  csrfToken: string;
  namespaces: NamespaceChoice[];
  values: NewProjectValues;
  errors: FormProblems | null;
}

/** The form for a new project. */
function NewProjectPage(props: NewProjectPageProps): VNode {
  const { csrfToken, errors } = props;
  return (
    <>
      <PageHeader
        title="New project"
        description="A project brings together a Git repository, issues, merge requests, alerts and errors."
      />
      <Card>
        <Form action="/projects/new" csrfToken={csrfToken} label="Project">
          <FormErrors errors={errors} />
          <Fields {...props} />
          <FormActions submit="Create project" cancel="/dashboard/projects" />
        </Form>
      </Card>
    </>
  );
}

function Fields({ namespaces, values, errors }: NewProjectPageProps): VNode {
  const places = namespaces.map(({ id, fullPath }) => ({ value: String(id), label: fullPath }));
  const { namespace_id: wrongId = [], namespace = [] } = errors?.fields ?? {};
  return (
    <>
      <SelectField
        name="namespace_id"
        label="Owner"
        options={places}
        value={values.namespaceId}
        errors={[...wrongId, ...namespace]}
        required
      />
      <ContainerTextFields
        values={values}
        errors={errors}
        pathHint="Generated from the name if left blank."
        maxDescription={2000}
        isPathOptional
      />
      <VisibilityField value={values.visibility} privateHint="Members only." errors={errors} />
      <CheckboxField
        name="initialize_with_readme"
        label="Add a README"
        hint="Initializes the repository so you can clone it right away."
        checked={values.withReadme}
        errors={errors?.fields['initialize_with_readme']}
      />
    </>
  );
}
