import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge } from '../../../core/ui/components/content.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Time } from '../../../core/ui/components/time.js';
import { MarkdownBudget } from '../../../core/ui/markdown/markdown-budget.js';
import type { NoteRow } from '../notes.repository.js';

/** A page of notes. */
export interface ShownNotes {
  notes: Page<NoteRow>;
  paging: { page: number; perPage: number };
}

/** The notes of a noteable, and what the viewer can do with them. */
export interface TimelineProps extends ShownNotes {
  /** Address of the page that shows them. */
  path: string;
  /** Addresses of notes begin with it. */
  notesPath: string;
  csrfToken: string;
  mayEdit(note: NoteRow): boolean;
}

interface NoteTimelineProps extends ShownNotes {
  path: string;
  /** Buttons and links in the heading of a comment. */
  actions?(note: NoteRow): VNode | null;
}

/** Comments, editable by their authors and maintainers, and system notes. */
export function EditableTimeline({
  notesPath,
  csrfToken,
  mayEdit,
  ...shown
}: TimelineProps): VNode {
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
        question="This permanently deletes the comment."
        confirm="Delete comment"
        action={`${path}/delete`}
        csrfToken={csrfToken}
        variant="ghost"
        size="small"
      />
    </div>
  );
}

/** Comments and system notes, newest first. */
export function NoteTimeline({ notes, paging, path, actions }: NoteTimelineProps): VNode {
  if (notes.items.length === 0) return <p class="text-muted-foreground">No activity yet</p>;
  const budget = new MarkdownBudget();
  return (
    <>
      <ol class="grid grid-cols-1 gap-4" aria-label="Activity">
        {withinBounds(notes.items).map((note) => (
          <li key={note.id} id={`note_${note.id}`}>
            {note.system ? (
              <SystemNote note={note} budget={budget} />
            ) : (
              <Comment note={note} budget={budget} actions={actions?.(note) ?? null} />
            )}
          </li>
        ))}
      </ol>
      <Pagination page={notes} paging={paging} path={path} />
    </>
  );
}

/** Characters that a page shows whole, and of each comment after them. */
const WHOLE = 300_000;
const BEGINNING = 5_000;

function withinBounds(notes: readonly NoteRow[]): NoteRow[] {
  let left = WHOLE;
  return notes.map((note) => {
    left -= note.body.length;
    if (left >= 0 || note.body.length <= BEGINNING) return note;
    const beginning = note.body.slice(0, Math.max(left + note.body.length, BEGINNING));
    return { ...note, body: `${beginning}…\n\nThis comment is truncated.` };
  });
}

function SystemNote({ note, budget }: Pick<CommentProps, 'note' | 'budget'>): VNode {
  return (
    <div class="text-muted-foreground flex gap-3 text-sm">
      <span class="flex w-8 shrink-0 justify-center pt-2" aria-hidden="true">
        <span class="bg-border size-2 rounded-full" />
      </span>
      <div class="flex min-w-0 grow flex-wrap items-baseline gap-x-1.5">
        <AuthorName note={note} />
        <Markdown text={note.body} budget={budget} />
        <Time value={note.createdAt} />
      </div>
    </div>
  );
}

interface CommentProps {
  note: NoteRow;
  budget: MarkdownBudget;
  actions: VNode | null;
}

function Comment({ note, budget, actions }: CommentProps): VNode {
  const isEdited = note.updatedAt.getTime() > note.createdAt.getTime();
  return (
    <div class="flex gap-3">
      <Avatar name={note.author.name} owner={note.author} />
      <div class="min-w-0 grow rounded-lg border">
        <div class="text-muted-foreground flex flex-wrap items-center gap-x-2 gap-y-1 border-b px-3 py-1.5 text-sm">
          <AuthorName note={note} />
          <Time value={note.createdAt} />
          {isEdited && <span>edited</span>}
          {note.internal && <Badge tone="warning">Internal</Badge>}
          {actions}
        </div>
        <div class="px-3 py-2">
          <Markdown text={note.body} budget={budget} />
        </div>
      </div>
    </div>
  );
}

function AuthorName({ note: { author } }: { note: NoteRow }): VNode {
  return (
    <a class="text-foreground font-medium hover:underline" href={`/${author.username}`}>
      {author.name}
    </a>
  );
}
