import { BooleanParam, DateTimeParam, TextParam } from '../../core/params/params.decorator.js';

const NOTE_ORDERS = ['created_at', 'updated_at'] as const;
const NOTE_ACTIVITIES = ['all_notes', 'only_comments', 'only_activity'] as const;

/** Filters and order of notes. */
export class ListNotesDto {
  /** Sort column; `created_at` by default. */
  @TextParam({ values: NOTE_ORDERS })
  order_by?: (typeof NOTE_ORDERS)[number] | null;

  /** Direction of the order; `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only comments, or only system notes. */
  @TextParam({ values: NOTE_ACTIVITIES })
  activity_filter?: (typeof NOTE_ACTIVITIES)[number] | null;
}

/** POST of a note. */
export class CreateNoteDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  body: string;

  /** Creates an internal note, visible to Reporters and above; requires the Reporter role. */
  @BooleanParam()
  internal?: boolean | null;

  /** Deprecated name of `internal`. */
  @BooleanParam()
  confidential?: boolean | null;

  /** Creation time; ignored unless the viewer is an Owner or administrator. */
  @DateTimeParam()
  created_at?: Date | null;
}

/** PUT of a note. */
export class UpdateNoteDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  body: string;
}
