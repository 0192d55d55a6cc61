import { DateTimeParam, TextParam } from '../../core/params/params.decorator.js';

/** Filters of the listings of snippets. */
export class ListSnippetsDto {
  /** Only snippets created at or after this time. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only snippets created at or before this time. */
  @DateTimeParam()
  created_before?: Date | null;
}

/** Filters of the listing of all visible snippets. */
export class ListAllSnippetsDto extends ListSnippetsDto {
  /** For administrators; silently dropped for everybody else. */
  @TextParam()
  repository_storage?: string | null;
}
