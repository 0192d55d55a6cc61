import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { VisibilityField } from '../../../identity/members/pages/visibility.js';
import type { NamespaceChoice } from '../../groups/visible-namespaces.repository.js';
import { ProjectTextFields, type ProjectTexts } from './project-text-fields.js';

/** The fields of a new project as texts. */
export interface NewProjectValues extends ProjectTexts {
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
export function NewProjectPage(props: NewProjectPageProps): VNode {
  const { csrfToken, errors } = props;
  return (
    <>
      <PageHeader
        title="New project"
        description="A project is a Git repository with its members, snippets and issues."
      />
      <Card>
        <Form action="/projects/new" csrfToken={csrfToken} label="Project">
          <FormErrors errors={errors} />
          <Fields {...props} />
          <FormActions>
            <Button>Create project</Button>
            <ButtonLink href="/dashboard/projects" variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
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
      <ProjectTextFields
        values={values}
        errors={errors}
        pathHint="Made from the name when empty."
        isNew
      />
      <VisibilityField value={values.visibility} privateHint="Members only." errors={errors} />
      <CheckboxField
        name="initialize_with_readme"
        label="Begin with a README"
        hint="Makes a first commit, so that the repository can be cloned at once."
        checked={values.withReadme}
        errors={errors?.fields['initialize_with_readme']}
      />
    </>
  );
}
