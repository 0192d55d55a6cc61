import { TextParam } from '../../core/params/params.decorator.js';

/** PUT of a note. */
export class UpdateNoteDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  body: string;
}
