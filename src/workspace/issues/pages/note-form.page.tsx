import type { VNode } from 'preact';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { FoundIssue } from '../sql/issue-columns.js';
import { issuePath, ProjectLayout, type IssuePageContext } from './issue-page-context.js';
import { NoteForm } from './note-form.js';

/** The comment as it was, or as it was typed and refused. */
export interface NoteFormProps {
  csrfToken: string;
  place: IssuePageContext;
  issue: FoundIssue;
  noteId: number;
  body: string;
  errors: FormProblems | null;
}

/** The form for changing a comment. */
export function NoteFormPage(props: NoteFormProps): VNode {
  const { csrfToken, place, issue, noteId, body, errors } = props;
  return (
    <ProjectLayout place={place} type={issue.issueType} title={`Edit comment on #${issue.iid}`}>
      <NoteForm
        csrfToken={csrfToken}
        action={`${place.issues}/${issue.iid}/notes/${noteId}/edit`}
        back={issuePath(place, issue)}
        body={body}
        errors={errors}
      />
    </ProjectLayout>
  );
}
