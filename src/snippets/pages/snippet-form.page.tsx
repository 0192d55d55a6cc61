import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Card } from '../../core/ui/components/content.js';
import { fieldId } from '../../core/ui/components/field-id.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { TextArea, TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import { VisibilityField } from '../../members/pages/visibility.js';
import { withRoom, type FileValues, type SnippetValues } from './snippet-form-input.js';
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

interface FileFieldsProps {
  file: FileValues;
  /** Place in the list of files. */
  at: number;
  errors: FormProblems | null;
  /** There must be such a file: it is there, or the only one of a new snippet. */
  required: boolean;
}

/** The fields of one file; the first bears what is wrong with any of them. */
function FileFields({ file, at, errors, required }: FileFieldsProps): VNode {
  const isKnown = file.previousPath !== '';
  const isFirst = at === 0;
  return (
    <fieldset class="grid gap-4 rounded-lg border p-4">
      <legend class="px-1 font-medium">{isKnown ? file.previousPath : 'New file'}</legend>
      {isKnown && (
        <input type="hidden" name={`files[${at}][previous_path]`} value={file.previousPath} />
      )}
      <TextField
        name={`files[${at}][file_path]`}
        {...(isFirst && { id: fieldId('files[file_path]') })}
        label="File name"
        value={file.path}
        errors={isFirst ? pathErrors(errors) : undefined}
        maxLength={255}
        autocomplete="off"
        required={required}
      />
      <Content file={file} at={at} errors={errors} required={required} />
      {isKnown && (
        <CheckboxField
          name={`files[${at}][delete]`}
          label="Delete this file"
          checked={file.isDeleted}
        />
      )}
    </fieldset>
  );
}

function Content({ file, at, errors, required }: FileFieldsProps): VNode {
  if (file.content === null) {
    return <p class="text-muted-foreground">This file cannot be edited here; Git can.</p>;
  }
  return (
    <TextArea
      name={`files[${at}][content]`}
      {...(at === 0 && { id: fieldId('files[content]') })}
      label="Content"
      value={file.content}
      errors={at === 0 ? errors?.fields['files[content]'] : undefined}
      rows={12}
      required={required && file.previousPath === ''}
      code
    />
  );
}

function pathErrors(errors: FormProblems | null): string[] {
  const { files = [], 'files[file_path]': paths = [] } = errors?.fields ?? {};
  return [...files, ...paths];
}
