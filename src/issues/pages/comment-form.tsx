import type { VNode } from 'preact';
import { Button } from '../../core/ui/components/button.js';
import { CheckboxField } from '../../core/ui/components/choice-fields.js';
import { Form } from '../../core/ui/components/form.js';
import { TextArea } from '../../core/ui/components/text-field.js';
import type { FormProblems } from '../../core/ui/form-errors.js';
import type { PageShell } from '../../core/ui/shell.js';
import { seesInternalNotes } from '../../notes/note-access.js';
import { mayComment } from '../issue-comments.js';
import type { FoundIssue } from '../issue-row.js';
import type { IssuePlace } from './issue-place.js';

/** A comment that was sent and refused. */
export interface RefusedComment {
  body: string;
  internal: boolean;
  errors: FormProblems;
}

interface CommentFormProps {
  shell: PageShell;
  place: IssuePlace;
  issue: FoundIssue;
  refused: RefusedComment | null;
}

/** The form for a comment, or why there is none. */
export function CommentForm(props: CommentFormProps): VNode {
  const { place, issue } = props;
  const reader = { viewer: place.viewer, accessLevel: issue.accessLevel };
  if (reader.viewer === null) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (place.project.archived) return <Closed reason="The project is archived." />;
  if (!mayComment(issue, reader)) return <Closed reason="The discussion is locked." />;
  return <CommentFields {...props} mayHide={seesInternalNotes(reader)} />;
}

function Closed({ reason }: { reason: string }): VNode {
  return <p class="text-muted-foreground">{reason}</p>;
}

type CommentFieldsProps = CommentFormProps & { mayHide: boolean };

function CommentFields({ shell, place, issue, refused, mayHide }: CommentFieldsProps): VNode {
  return (
    <Form
      action={`${place.issues}/${issue.iid}/notes`}
      csrfToken={shell.csrfToken}
      label="Comment"
      class="grid w-full gap-4"
    >
      <TextArea
        name="body"
        label="Comment"
        hint="Markdown is understood."
        value={refused?.body}
        errors={refused?.errors.fields['body']}
        required
      />
      {mayHide && (
        <CheckboxField
          name="internal"
          label="Internal note"
          hint="Only Reporters and above see it."
          checked={refused?.internal ?? false}
        />
      )}
      <div>
        <Button variant="outline">Add comment</Button>
      </div>
    </Form>
  );
}
