import type { VNode } from 'preact';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { fieldId } from '../../core/ui/components/field-id.js';
import { TextArea, TextField } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import type { FileValues } from './snippet-form-input.js';

interface FileFieldsProps {
  file: FileValues;
  /** Place in the list of files. */
  at: number;
  errors: FormProblems | null;
  /** There must be such a file: it is there, or the only one of a new snippet. */
  required: boolean;
}

/** The fields of one file; the first bears what is wrong with any of them. */
export function FileFields({ file, at, errors, required }: FileFieldsProps): VNode {
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
