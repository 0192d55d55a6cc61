import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Avatar } from '../../../core/ui/components/avatar.js';
import { Badge } from '../../../core/ui/components/content.js';
import { asWritten, Markdown } from '../../../core/ui/components/markdown.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Time } from '../../../core/ui/components/time.js';
import type { NoteRow } from '../../../notes/note-row.js';

/** A page of the notes of an alert. */
export interface ShownNotes {
  notes: Page<NoteRow>;
  paging: { page: number; perPage: number };
}

/** What people wrote about an alert and what the server noted, the latest first. */
export function AlertTimeline({ notes, paging, path }: ShownNotes & { path: string }): VNode {
  if (notes.items.length === 0) return <p class="text-muted-foreground">Nothing yet.</p>;
  const plain = asWritten(notes.items.map(({ body }) => body));
  return (
    <>
      <ol class="grid grid-cols-1 gap-4" aria-label="Activity">
        {notes.items.map((note, at) => (
          <li key={note.id} id={`note-${note.id}`}>
            {note.system ? (
              <SystemNote note={note} />
            ) : (
              <Comment note={note} plain={plain[at] === true} />
            )}
          </li>
        ))}
      </ol>
      <Pagination page={notes} paging={paging} path={path} />
    </>
  );
}

function SystemNote({ note }: { note: NoteRow }): VNode {
  return (
    <div class="text-muted-foreground flex gap-3 text-sm">
      <span class="flex w-8 shrink-0 justify-center pt-2" aria-hidden="true">
        <span class="bg-border size-2 rounded-full" />
      </span>
      <div class="min-w-0 grow">
        <Author note={note} />
        <Markdown text={note.body} />
      </div>
    </div>
  );
}

function Comment({ note, plain }: { note: NoteRow; plain: boolean }): VNode {
  return (
    <div class="flex gap-3">
      <Avatar name={note.author.name} />
      <div class="min-w-0 grow">
        <Author note={note} />
        <div class="mt-1 rounded-lg border px-3 py-2">
          <Markdown text={note.body} plain={plain} />
        </div>
      </div>
    </div>
  );
}

function Author({ note: { author, createdAt, internal } }: { note: NoteRow }): VNode {
  return (
    <p class="text-muted-foreground flex flex-wrap items-center gap-x-2 text-sm">
      <a class="text-foreground font-medium" href={`/${author.username}`}>
        {author.name}
      </a>
      <Time value={createdAt} />
      {internal && <Badge tone="warning">Internal</Badge>}
    </p>
  );
}
