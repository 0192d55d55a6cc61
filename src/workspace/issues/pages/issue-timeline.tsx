import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import type { NoteRow } from '../../notes/notes.repository.js';
import { NoteTimeline, type ShownNotes } from '../../notes/pages/note-timeline.js';

/** The notes of an issue, and what the viewer can do with them. */
export interface TimelineProps extends ShownNotes {
  /** Address of the issue's page. */
  path: string;
  /** Addresses of notes begin with it. */
  notesPath: string;
  csrfToken: string;
  mayEdit(note: NoteRow): boolean;
}

/** Comments on an issue, editable by their authors and maintainers, and system notes. */
export function IssueTimeline({ notesPath, csrfToken, mayEdit, ...shown }: TimelineProps): VNode {
  const actions = (note: NoteRow): VNode | null =>
    mayEdit(note) ? <NoteActions path={`${notesPath}/${note.id}`} csrfToken={csrfToken} /> : null;
  return <NoteTimeline {...shown} actions={actions} />;
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
