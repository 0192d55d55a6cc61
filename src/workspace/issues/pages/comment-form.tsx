import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { seesInternalNotes, type NoteReader } from '../../notes/note-access.js';
import { mayComment } from '../issue-access.js';

/** A comment that was sent and refused. */
export interface RefusedComment {
  body: string;
  internal: boolean;
  errors: FormProblems;
}

interface CommentFormProps {
  pageContext: PageContext;
  /** Where comments are sent. */
  action: string;
  archived: boolean;
  discussionLocked: boolean;
  reader: NoteReader;
  refused: RefusedComment | null;
}

/** The form for a comment on an issue or the like, or why there is none. */
export function CommentForm(props: CommentFormProps): VNode {
  const { reader, archived, discussionLocked } = props;
  if (reader.viewer === null) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (archived) return <Closed reason="The project is archived." />;
  if (!mayComment({ discussionLocked }, reader))
    return <Closed reason="The discussion is locked." />;
  return <CommentFields {...props} mayHide={seesInternalNotes(reader)} />;
}

function Closed({ reason }: { reason: string }): VNode {
  return <p class="text-muted-foreground">{reason}</p>;
}

type CommentFieldsProps = CommentFormProps & { mayHide: boolean };

function CommentFields({ pageContext, action, refused, mayHide }: CommentFieldsProps): VNode {
  return (
    <Form
      action={action}
      csrfToken={pageContext.csrfToken}
      label="Comment"
      class="grid w-full gap-4"
    >
      <TextArea
        name="body"
        label="Comment"
        hint="Markdown is understood, and so are commands such as /close on lines of their own."
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
