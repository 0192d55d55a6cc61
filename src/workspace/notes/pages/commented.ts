import type { FlashMessages } from '../../../core/ui/page-context.js';
import type { Commented } from '../command-changes.js';

/** The part of an address that shows the new note; nothing when there is none. */
export function anchorOf({ note }: Commented<{ id: number }>): string {
  return note === null ? '' : `#note_${note.id}`;
}

/** Returns the flash message about the commands of a comment. */
export function noticeOf({ commands }: Commented<unknown>): FlashMessages {
  return commands.summary.length === 0 ? {} : { notice: commands.summary.join(' ') };
}
