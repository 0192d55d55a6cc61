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
export function CommentForm({ shell, place, issue, refused }: CommentFormProps): VNode {
  const reader = { viewer: place.viewer, accessLevel: issue.accessLevel };
  if (reader.viewer === null) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (place.project.archived || !mayComment(issue, reader)) {
    const reason = place.project.archived
      ? 'The project is archived.'
      : 'The discussion is locked.';
    return <p class="text-muted-foreground">{reason}</p>;
  }
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
      {seesInternalNotes(reader) && (
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
