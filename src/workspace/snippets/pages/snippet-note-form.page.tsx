import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { SnippetPageContext } from './snippet-page-context.js';

/** The comment as it was, or as it was typed and refused. */
export interface SnippetNoteFormProps {
  csrfToken: string;
  place: SnippetPageContext;
  snippetId: number;
  noteId: number;
  body: string;
  errors: FormProblems | null;
}

/** The form for changing a comment on a snippet. */
export function SnippetNoteFormPage(props: SnippetNoteFormProps): VNode {
  const { csrfToken, place, snippetId, noteId, body, errors } = props;
  const path = `${place.path}/${snippetId}`;
  return place.frame(
    { title: 'Edit comment' },
    <Card>
      <Form action={`${path}/notes/${noteId}/edit`} csrfToken={csrfToken} label="Comment">
        <FormErrors errors={errors} />
        <TextArea
          name="body"
          label="Comment"
          hint="Markdown is understood."
          value={body}
          errors={errors?.fields['body']}
          rows={8}
          required
        />
        <FormActions>
          <Button>Save changes</Button>
          <ButtonLink href={path} variant="ghost">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </Card>,
  );
}
