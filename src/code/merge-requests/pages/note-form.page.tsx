import type { VNode } from 'preact';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { NoteForm } from '../../../workspace/issues/pages/note-form.js';
import { ProjectLayout, type MergeRequestPageContext } from './merge-request-page-context.js';

/** The comment as it was, or as it was typed and refused. */
export interface NoteFormProps {
  csrfToken: string;
  place: MergeRequestPageContext;
  iid: number;
  noteId: number;
  body: string;
  errors: FormProblems | null;
}

/** The form for changing a comment on a merge request. */
export function NoteFormPage({ place, iid, noteId, ...form }: NoteFormProps): VNode {
  const path = `${place.path}/${iid}`;
  return (
    <ProjectLayout place={place} title={`Edit comment on !${iid}`}>
      <NoteForm {...form} action={`${path}/notes/${noteId}/edit`} back={path} />
    </ProjectLayout>
  );
}
