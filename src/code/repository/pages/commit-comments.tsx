import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextArea } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { DiffSet } from '../../../git/reading/diffs.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { NoteRow } from '../../../workspace/notes/notes.repository.js';
import { NoteTimeline } from '../../../workspace/notes/pages/note-timeline.js';
import type { CodeView } from './code-frame.js';
import type { CommitDiscussion } from './commit-discussion.service.js';
import { lineAnchor } from './diff-view.js';

/** A comment that was sent and refused. */
export interface RefusedComment {
  body: string;
  errors: FormProblems;
}

export interface CommitCommentsProps extends CodeView {
  /** Address of the commit's page. */
  path: string;
  diff: DiffSet;
  discussion: CommitDiscussion;
  paging: { page: number; perPage: number };
  refused: RefusedComment | null;
}

/** Comments on a commit, and the comment form. */
export function CommitComments(props: CommitCommentsProps): VNode {
  const { path, diff, discussion, paging } = props;
  return (
    <Card title="Comments">
      <CommentForm {...props} />
      <NoteTimeline
        notes={discussion.notes}
        paging={paging}
        path={path}
        actions={(note) => <LineOf note={note} discussion={discussion} diff={diff} />}
      />
    </Card>
  );
}

/** Which line of the changes a comment is about. */
function LineOf({
  note,
  discussion,
  diff,
}: Pick<CommitCommentsProps, 'discussion' | 'diff'> & { note: NoteRow }): VNode | null {
  const line = discussion.lines.get(note.id);
  if (line === undefined) return null;
  const anchor = lineAnchor(diff.files, line);
  const text = `${line.path}, ${line.type} line ${line.line}`;
  return (
    <span class="min-w-0 break-all">
      {'on '}
      {anchor === null ? (
        text
      ) : (
        <a class="prose-link" href={`#${anchor}`}>
          {text}
        </a>
      )}
    </span>
  );
}

function CommentForm({ pageContext, project, path, refused }: CommitCommentsProps): VNode | null {
  if (pageContext.viewer === null) {
    return (
      <p class="text-muted-foreground">
        <a href="/users/sign_in">Sign in</a> to comment.
      </p>
    );
  }
  if (project.archived) return <p class="text-muted-foreground">The project is archived.</p>;
  if (!canInProject('comment_code', { ...project, viewer: pageContext.viewer })) return null;
  return (
    <Form
      action={`${path}/comments`}
      csrfToken={pageContext.csrfToken}
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
      <div>
        <Button variant="outline">Add comment</Button>
      </div>
    </Form>
  );
}
