import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { NoteRow } from '../../notes/notes.repository.js';
import { NoteTimeline, type ShownNotes } from '../../notes/pages/note-timeline.js';

/** A comment that was sent and refused. */
export interface RefusedComment {
  body: string;
  errors: FormProblems;
}

/** The comments on a snippet, and what the viewer can do with them. */
export interface DiscussionProps extends ShownNotes {
  csrfToken: string;
  /** Address of the snippet's page; those of notes begin with it. */
  path: string;
  isSignedIn: boolean;
  isArchived: boolean;
  refused: RefusedComment | null;
  mayEdit(note: NoteRow): boolean;
}

/** Comments on a project snippet, and the comment form. */
export function SnippetDiscussion(props: DiscussionProps): VNode {
  const { csrfToken, path, refused, mayEdit, notes, paging } = props;
  const actions = (note: NoteRow): VNode | null =>
    mayEdit(note) ? <NoteActions path={`${path}/notes/${note.id}`} csrfToken={csrfToken} /> : null;
  return (
    <>
      <FormErrors errors={refused?.errors} />
      <Card title="Comments">
        <CommentForm {...props} />
        <NoteTimeline notes={notes} paging={paging} path={path} actions={actions} />
      </Card>
    </>
  );
}

function CommentForm({ csrfToken, path, isSignedIn, isArchived, refused }: DiscussionProps): VNode {
  if (!isSignedIn) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (isArchived) return <p class="text-muted-foreground">The project is archived.</p>;
  return (
    <Form action={`${path}/notes`} csrfToken={csrfToken} label="Comment" class="grid w-full gap-4">
      <TextArea
        name="body"
        label="Comment"
        hint="Markdown is understood."
        value={refused?.body}
        errors={refused?.errors.fields['body']}
        required
      />
      <div>
        <Button variant="outline">Add comment</Button>
      </div>
    </Form>
  );
}

function NoteActions({ path, csrfToken }: { path: string; csrfToken: string }): VNode {
  return (
    <div class="ml-auto flex flex-wrap items-start gap-1">
      <ButtonLink href={`${path}/edit`} variant="ghost" size="small">
        Edit
      </ButtonLink>
      <ConfirmButton
        label="Delete"
        question="The comment will be gone for good."
        confirm="Delete comment"
        action={`${path}/delete`}
        csrfToken={csrfToken}
        variant="ghost"
        size="small"
      />
    </div>
  );
}
