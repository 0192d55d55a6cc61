import type { VNode } from 'preact';
import { ValidationFailedError } from '../../../core/errors.js';
import { Button } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { suggestionMarks, TextArea } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { mayComment, type Discussion } from '../note-access.js';
import { noteBodyProblem } from '../notes.service.js';

/** Returns the text of a sent comment. Browsers send line breaks as CRLF (HTML standard). */
export function sentBody(form: Record<string, unknown>): string {
  return given(form, 'body').replaceAll('\r\n', '\n');
}

/** Throws ValidationFailedError for a text that is blank or too long. */
export function assertSentBody(body: string): void {
  const problem = noteBodyProblem(body);
  if (problem !== null) throw new ValidationFailedError({ body: [problem] });
}

/** Returns the reason why the viewer, who is signed in, cannot comment; null if they can. */
export function closedReason(
  discussion: Discussion,
  { archived }: { archived: boolean },
): string | null {
  if (archived) return 'The project is archived.';
  return mayComment(discussion) ? null : 'The discussion is locked.';
}

/** A rejected comment and its errors. */
export interface RefusedComment {
  body: string;
  internal?: boolean;
  errors: FormProblems;
}

interface CommentFormProps {
  pageContext: Pick<PageContext, 'viewer' | 'csrfToken'>;
  /** Address that comments are sent to. */
  action: string;
  /** Reason why no comments are accepted; null if they are. */
  closed: string | null;
  takesCommands?: boolean;
  /** True where commenting is the main action of the page. */
  isPrimary?: boolean;
  /** True if the viewer can write internal notes. */
  mayHide?: boolean;
  refused: RefusedComment | null;
}

/** The form for a comment on a noteable, or the reason why there is none. */
export function CommentForm(props: CommentFormProps): VNode {
  const { pageContext, action, closed, takesCommands, isPrimary, mayHide, refused } = props;
  if (pageContext.viewer === null) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (closed !== null) return <p class="text-muted-foreground">{closed}</p>;
  return (
    <Form
      action={action}
      csrfToken={pageContext.csrfToken}
      label="Comment"
      class="grid w-full gap-4"
    >
      <TextArea
        name="body"
        markdown
        marks={suggestionMarks(action)}
        label="Comment"
        hint={`Supports Markdown${takesCommands ? ' and quick actions (/close, /label)' : ''}`}
        value={refused?.body}
        errors={refused?.errors.fields['body']}
        required
      />
      {mayHide && (
        <CheckboxField
          name="internal"
          label="Internal note"
          hint="Visible to members with at least the Reporter role"
          checked={refused?.internal ?? false}
        />
      )}
      <div>
        <Button variant={isPrimary === true ? 'primary' : 'outline'}>Add comment</Button>
      </div>
    </Form>
  );
}

interface NoteFormProps {
  title: string;
  csrfToken: string;
  /** Address that the changed comment is sent to. */
  action: string;
  /** Address of the page that shows it. */
  back: string;
  body: string;
  errors: FormProblems | null;
}

/** The form for changing a comment. */
export function NoteForm(props: NoteFormProps): VNode {
  const { title, csrfToken, action, back, body, errors } = props;
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <Form action={action} csrfToken={csrfToken} label="Comment">
          <FormErrors errors={errors} />
          <TextArea
            name="body"
            markdown
            marks={suggestionMarks(action)}
            label="Comment"
            hint="Supports Markdown"
            value={body}
            errors={errors?.fields['body']}
            rows={8}
            required
          />
          <FormActions submit="Save changes" cancel={back} />
        </Form>
      </Card>
    </>
  );
}
