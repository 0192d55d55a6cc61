import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';

interface NoteFormProps {
  csrfToken: string;
  /** Where the changed comment is sent. */
  action: string;
  /** Address of the page that shows it. */
  back: string;
  body: string;
  errors: FormProblems | null;
}

/** The fields for changing a comment. */
export function NoteForm({ csrfToken, action, back, body, errors }: NoteFormProps): VNode {
  return (
    <Card>
      <Form action={action} csrfToken={csrfToken} label="Comment">
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
          <ButtonLink href={back} variant="ghost">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </Card>
  );
}
