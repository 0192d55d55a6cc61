import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { countText } from '../../../core/ui/amounts.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card } from '../../../core/ui/components/content.js';
import { pagingParams } from '../../../core/ui/components/list.js';
import { Markdown } from '../../../core/ui/components/markdown.js';
import { Time } from '../../../core/ui/components/time.js';
import { withLabelNames } from '../../../core/ui/references/reference.js';
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

interface DiscussionCardProps {
  title: string;
  timeline: VNode;
  /** The form for the next comment; null if the viewer cannot comment. */
  form: VNode | null;
  notes: Page<NoteRow>;
}

/** Notes above which a link leads past them. */
const SHORT_TIMELINE = 5;
const FORM_ID = 'add-comment';

/** A timeline, and the form for the next comment at its end. */
export function DiscussionCard({ title, timeline, form, notes }: DiscussionCardProps): VNode {
  const isLong = form !== null && notes.items.length > SHORT_TIMELINE;
  return (
    <Card
      title={title}
      actions={
        isLong && (
          <a class="text-muted-foreground hover:underline" href={`#${FORM_ID}`}>
            Jump to comment
          </a>
        )
      }
    >
      {notes.items.length === 0 ? (
        <p class="text-muted-foreground">{`No ${title.toLowerCase()} yet`}</p>
      ) : (
        timeline
      )}
      {form !== null && (
        <div id={FORM_ID} class="mt-1 scroll-mt-16">
          {form}
        </div>
      )}
    </Card>
  );
}

/** Comments, editable by their authors and maintainers, and system notes. */
export function EditableTimeline({
  notesPath,
  csrfToken,
  mayEdit,
  ...shown
}: TimelineProps): VNode {
  const actions = (note: NoteRow): VNode | null =>
    mayEdit(note) ? (
      <NoteActions
        path={`${notesPath}/${note.id}`}
        csrfToken={csrfToken}
        author={note.author.name}
      />
    ) : null;
  return <NoteTimeline {...shown} actions={actions} />;
}

interface NoteActionsProps {
  path: string;
  csrfToken: string;
  /** Name of the author. */
  author: string;
}

function NoteActions({ path, csrfToken, author }: NoteActionsProps): VNode {
  return (
    <div class="flex items-start max-sm:[&_.btn]:px-1.5">
      <ButtonLink href={`${path}/edit`} variant="ghost" size="small">
        Edit
      </ButtonLink>
      <ConfirmButton
        label="Delete"
        title={`Delete the comment by ${author}?`}
        question="This cannot be undone."
        confirm="Delete comment"
        action={`${path}/delete`}
        csrfToken={csrfToken}
        variant="ghost"
        size="small"
      />
    </div>
  );
}

/**
 * Comments and system notes, oldest first. The first page has the latest ones, so that they stand
 * beside the form; the pages after it go back in time.
 */
export function NoteTimeline({ notes, paging, path, actions }: NoteTimelineProps): VNode {
  const budget = new MarkdownBudget();
  return (
    <>
      {notes.hasNext && (
        <OtherNotes
          path={path}
          paging={{ ...paging, page: paging.page + 1 }}
          label={earlierLabel(notes, paging)}
        />
      )}
      <ol class="grid grid-cols-1 gap-4" aria-label="Activity">
        {withinBounds(notes.items)
          .toReversed()
          .map((note) => (
            <li key={note.id} id={`note_${note.id}`} class="scroll-mt-16">
              {note.system ? (
                <SystemNote note={note} budget={budget} />
              ) : (
                <Comment note={note} budget={budget} actions={actions?.(note) ?? null} />
              )}
            </li>
          ))}
      </ol>
      {paging.page > 1 && (
        <OtherNotes
          path={path}
          paging={{ ...paging, page: paging.page - 1 }}
          label="Show later activity"
        />
      )}
    </>
  );
}

function earlierLabel({ total }: Page<NoteRow>, { page, perPage }: ShownNotes['paging']): string {
  return total === null
    ? 'Show earlier activity'
    : `Show earlier activity (${countText(total - page * perPage)})`;
}

interface OtherNotesProps extends Pick<ShownNotes, 'paging'> {
  path: string;
  label: string;
}

function OtherNotes({ path, paging, label }: OtherNotesProps): VNode {
  const address = filledAddress(path, pagingParams(paging));
  return (
    <div>
      <ButtonLink href={address} variant="outline" size="small">
        {label}
      </ButtonLink>
    </div>
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
      <span class="flex w-6 shrink-0 justify-center pt-1.5" aria-hidden="true">
        <span class="bg-border size-2 rounded-full" />
      </span>
      <div class="system-note min-w-0 grow">
        <AuthorName note={note} /> <Markdown text={withLabelNames(note.body)} budget={budget} />{' '}
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
        <div class="text-muted-foreground flex min-h-9 items-start gap-2 border-b py-1 pr-1 pl-3 text-sm">
          <div class="flex grow flex-wrap items-center gap-x-2 py-[3px]">
            <AuthorName note={note} />
            <Time value={note.createdAt} />
            {isEdited && <span>edited</span>}
            {note.internal && <Badge tone="warning">Internal</Badge>}
          </div>
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
