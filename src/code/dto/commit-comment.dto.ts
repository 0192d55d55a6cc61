import { IntegerParam, TextParam } from '../../core/params/params.decorator.js';

const LINE_TYPES = ['new', 'old'] as const;

/** POST of a comment on a commit. */
export class CommitCommentDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  note: string;

  /** File of the commented line. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Number of the commented line; required with `path`. */
  @IntegerParam({ min: 1 })
  line?: number | null;

  /** Counts the line in the new or the old version of the file; `new` by default. */
  @TextParam({ values: LINE_TYPES })
  line_type?: (typeof LINE_TYPES)[number] | null;
}
