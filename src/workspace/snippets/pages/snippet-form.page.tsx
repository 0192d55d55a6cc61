import type { VNode } from 'preact';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { fieldId } from '../../../core/ui/components/field.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import { VisibilityField } from '../../../identity/members/pages/visibility.js';
import type { ShownFile } from '../snippet-content.service.js';
import type { SnippetPageContext } from './snippet-page-context.js';

type Form = Record<string, unknown>;

/** One file as the form of a snippet has it. */
interface FileValues {
  /** The path that it has; empty for a new file. */
  previousPath: string;
  path: string;
  /** null for one that cannot be edited as text. */
  content: string | null;
  isDeleted: boolean;
}

/** The fields of a snippet. */
export interface SnippetValues {
  title: string;
  description: string;
  visibility: string;
  files: FileValues[];
}

const NEW_FILE: FileValues = { previousPath: '', path: '', content: '', isDeleted: false };
const MAX_FILES = 10;

/** The fields as they were sent. Browsers send line breaks of text fields as CRLF (HTML standard). */
export function valuesOfForm(form: Form): SnippetValues {
  const { files } = form;
  const items = typeof files === 'object' && files !== null ? Object.values(files) : [];
  const hashes = items.filter((item): item is Form => typeof item === 'object' && item !== null);
  return {
    title: given(form, 'title'),
    description: given(form, 'description').replaceAll('\r\n', '\n'),
    visibility: given(form, 'visibility'),
    files: hashes.slice(0, MAX_FILES + 1).map(fileOf),
  };
}

function fileOf(file: Form): FileValues {
  return {
    previousPath: given(file, 'previous_path'),
    path: given(file, 'file_path').trim(),
    content: typeof file['content'] === 'string' ? file['content'].replaceAll('\r\n', '\n') : null,
    isDeleted: given(file, 'delete') === 'true',
  };
}

/** The given files and room for a new one, as far as a snippet can have more. */
function withRoom(files: FileValues[]): FileValues[] {
  const hasRoom = files.length < MAX_FILES && files.at(-1)?.path !== '';
  return hasRoom ? [...files, NEW_FILE] : files;
}

/** Fields for the files that a snippet has. */
export function filesToEdit(files: ShownFile[]): FileValues[] {
  return files.map(({ path, text }) => ({
    previousPath: path,
    path,
    content: text === null ? null : text.replaceAll('\r\n', '\n'),
    isDeleted: false,
  }));
}

/** Returns the parameters `files` of a new snippet, without entirely blank ones. */
export function newFiles(files: FileValues[]): object[] {
  return files.filter(isFilled).map(({ path, content }) => ({ file_path: path, content }));
}

/** Parameters `files` of a change: one action for each file that is not as it was. */
export function fileActions(files: FileValues[], present: FileValues[]): object[] {
  const contents = new Map(present.map(({ path, content }) => [path, content]));
  return files
    .map((file) => actionOf(file, contents.get(file.previousPath) ?? null))
    .filter((action) => action !== null);
}

function actionOf(file: FileValues, known: string | null): object | null {
  const { previousPath, path, content } = file;
  if (previousPath === '') {
    return isFilled(file) ? { action: 'create', file_path: path, content } : null;
  }
  if (file.isDeleted) return { action: 'delete', file_path: previousPath };
  const changed = content !== null && content !== known ? { content } : null;
  if (path !== previousPath) {
    return { action: 'move', previous_path: previousPath, file_path: path, ...changed };
  }
  return changed === null ? null : { action: 'update', file_path: path, ...changed };
}

function isFilled({ path, content }: FileValues): boolean {
  return path !== '' || Boolean(content);
}

interface SnippetFormProps {
  csrfToken: string;
  context: SnippetPageContext;
  /** null for a new one. */
  snippetId: number | null;
  values: SnippetValues;
  errors: FormProblems | null;
}

/** The form for a new snippet, and for changing one. */
export function SnippetFormPage(props: SnippetFormProps): VNode {
  const { csrfToken, context, snippetId, values, errors } = props;
  const isNew = snippetId === null;
  const back = isNew ? context.path : `${context.path}/${snippetId}`;
  return (
    <>
      <PageHeader {...{ title: isNew ? 'New snippet' : 'Edit snippet' }} />
      <Card>
        <Form
          action={isNew ? `${context.path}/new` : `${back}/edit`}
          csrfToken={csrfToken}
          label="Snippet"
        >
          <FormErrors errors={errors} />
          <TextFields context={context} values={values} errors={errors} />
          {withRoom(values.files).map((file, at) => (
            <FileFields
              key={at}
              file={file}
              at={at}
              errors={errors}
              required={at === 0 || file.previousPath !== ''}
            />
          ))}
          <FormActions submit={isNew ? 'Create snippet' : 'Save changes'} cancel={back} />
        </Form>
      </Card>
    </>
  );
}

function TextFields({
  context,
  values,
  errors,
}: Pick<SnippetFormProps, 'context' | 'values' | 'errors'>): VNode {
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
        privateHint={context.projectId === null ? 'Only you.' : 'Members of the project only.'}
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
  /** True for an existing file and for the only one of a new snippet. */
  required: boolean;
}

/** The fields of one file; the first shows the errors of all. */
function FileFields({ file, at, errors, required }: FileFieldsProps): VNode {
  const isKnown = file.previousPath !== '';
  const isFirst = at === 0;
  return (
    <fieldset class="file-fields">
      <legend>{isKnown ? file.previousPath : 'New file'}</legend>
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
    return <p class="text-muted-foreground">Binary or too large to edit here. Use Git instead.</p>;
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
