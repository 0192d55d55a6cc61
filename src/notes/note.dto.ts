import { BooleanParam, DateTimeParam, TextParam } from '../core/params/params.decorator.js';

const NOTE_ORDERS = ['created_at', 'updated_at'] as const;
const NOTE_ACTIVITIES = ['all_notes', 'only_comments', 'only_activity'] as const;

/** Filters and order of notes. */
export class ListNotesDto {
  /** Sort column; `created_at` by default. */
  @TextParam({ values: NOTE_ORDERS })
  order_by?: (typeof NOTE_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only what people wrote, or only what the server noted. */
  @TextParam({ values: NOTE_ACTIVITIES })
  activity_filter?: (typeof NOTE_ACTIVITIES)[number] | null;
}

/** POST of a note. */
export class CreateNoteDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  body: string;

  /** Shows the note to Reporters and above only, who alone may ask for it. */
  @BooleanParam()
  internal?: boolean | null;

  /** Older name of `internal`. */
  @BooleanParam()
  confidential?: boolean | null;

  /** When it was written; left aside unless an owner of the project or an administrator says it. */
  @DateTimeParam()
  created_at?: Date | null;
}

/** PUT of a note. */
export class UpdateNoteDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  body: string;
}
