import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { Card } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { TextArea, TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { VisibilityField } from '../../members/pages/visibility-field.js';
import { FileFields } from './file-fields.js';
import { withRoom, type SnippetValues } from './snippet-form-input.js';
import type { SnippetPlace } from './snippet-place.js';

interface SnippetFormProps {
  csrfToken: string;
  place: SnippetPlace;
  /** null for a new one. */
  snippetId: number | null;
  values: SnippetValues;
  errors: FormProblems | null;
}

/** The form for a new snippet, and for changing one. */
export function SnippetFormPage(props: SnippetFormProps): VNode {
  const { csrfToken, place, snippetId, values, errors } = props;
  const isNew = snippetId === null;
  const back = isNew ? place.path : `${place.path}/${snippetId}`;
  return place.frame(
    { title: isNew ? 'New snippet' : 'Edit snippet' },
    <Card>
      <Form
        action={isNew ? `${place.path}/new` : `${back}/edit`}
        csrfToken={csrfToken}
        label="Snippet"
      >
        <FormErrors errors={errors} />
        <TextFields place={place} values={values} errors={errors} />
        {withRoom(values.files).map((file, at) => (
          <FileFields
            key={at}
            file={file}
            at={at}
            errors={errors}
            required={at === 0 || file.previousPath !== ''}
          />
        ))}
        <FormActions>
          <Button>{isNew ? 'Create snippet' : 'Save changes'}</Button>
          <ButtonLink href={back} variant="ghost">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </Card>,
  );
}

function TextFields({
  place,
  values,
  errors,
}: Pick<SnippetFormProps, 'place' | 'values' | 'errors'>): VNode {
  return (
    <>
      <TextField
        name="title"
        label="Title"
        value={values.title}
        errors={errors?.fields['title']}
        maxLength={255}
        required
      />
      <TextArea
        name="description"
        label="Description"
        value={values.description}
        errors={errors?.fields['description']}
        rows={3}
      />
      <VisibilityField
        value={values.visibility}
        privateHint={place.projectId === null ? 'Only you.' : 'Members of the project only.'}
        errors={errors}
      />
    </>
  );
}
