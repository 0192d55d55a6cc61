import { BooleanParam, DateTimeParam, TextParam } from '../../core/params/params.decorator.js';

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
