import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { Card } from '../../core/ui/components/content.js';
import { Form, FormActions } from '../../core/ui/components/form.js';
import { FormErrors } from '../../core/ui/components/form-errors.js';
import { TextArea } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import type { FoundIssue } from '../issue-row.js';
import { issuePath, PlaceFrame, type IssuePlace } from './issue-place.js';

/** The comment as it was, or as it was typed and refused. */
export interface NoteFormProps {
  csrfToken: string;
  place: IssuePlace;
  issue: FoundIssue;
  noteId: number;
  body: string;
  errors: FormProblems | null;
}

/** The form for changing a comment. */
export function NoteFormPage(props: NoteFormProps): VNode {
  const { csrfToken, place, issue, noteId, body, errors } = props;
  return (
    <PlaceFrame place={place} type={issue.issueType} title={`Edit comment on #${issue.iid}`}>
      <Card>
        <Form
          action={`${place.issues}/${issue.iid}/notes/${noteId}/edit`}
          csrfToken={csrfToken}
          label="Comment"
        >
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
            <ButtonLink href={issuePath(place, issue)} variant="ghost">
              Cancel
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </PlaceFrame>
  );
}
