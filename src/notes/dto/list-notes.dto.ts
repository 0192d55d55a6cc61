import { TextParam } from '../../core/params/params.decorator.js';

const NOTE_ORDERS = ['created_at', 'updated_at'] as const;
const NOTE_ACTIVITIES = ['all_notes', 'only_comments', 'only_activity'] as const;

/** Filters and order of notes. */
export class ListNotesDto {
  /** What to order by; `created_at` unless given. */
  @TextParam({ values: NOTE_ORDERS })
  order_by?: (typeof NOTE_ORDERS)[number] | null;

  /** Direction of the order; `desc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only what people wrote, or only what the server noted. */
  @TextParam({ values: NOTE_ACTIVITIES })
  activity_filter?: (typeof NOTE_ACTIVITIES)[number] | null;
}
