import { ValidationFailedError } from '../../core/errors.js';
import {
  DateTimeParam,
  HashListParam,
  TextParam,
  type ParamOptions,
} from '../../core/params/params.decorator.js';
import { TreePathParam } from '../../git/tree-path.decorator.js';
import {
  VISIBILITY,
  VISIBILITY_NAMES,
  type VisibilityName,
} from '../../identity/members/visibility.js';
import type { Snippet } from './snippet.entity.js';

const MAX_PATH_LENGTH = 255;

/** Path of a file in the snippet's repository; refused is all that could leave a work tree. */
function FilePathParam(options: ParamOptions = {}): PropertyDecorator {
  return TreePathParam({ ...options, maxLength: MAX_PATH_LENGTH });
}

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
  /** Administrators only; ignored for everyone else. */
  @TextParam()
  repository_storage?: string | null;
}

/** One file of a new snippet. */
export class NewFileDto {
  /** Path of the file in the repository, at most 255 characters. */
  @FilePathParam({ required: true })
  file_path: string;

  /** Content of the file. */
  @TextParam({ required: true, allowEmpty: false })
  content: string;
}

/** POST of a snippet: exactly one of `files` and `content` (see `initialFiles`). */
export class CreateSnippetDto {
  /** At most 255 characters. */
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  /** Description of the snippet. */
  @TextParam()
  description?: string | null;

  /**
   * private: the author, or the members of the project; internal: all signed-in users; public:
   * everyone.
   */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Files of the snippet, at most ten; or `content` for a single one. */
  @HashListParam(() => NewFileDto)
  files?: NewFileDto[] | null;

  /** Content of a single file; instead of `files`. */
  @TextParam({ allowEmpty: false })
  content?: string | null;

  /** Path of the only file; required with `content`. */
  @FilePathParam()
  file_name?: string | null;
}

const FILE_ACTIONS = ['create', 'update', 'delete', 'move'] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

/** Action on one file; the action decides which other keys are required. */
export class FileActionDto {
  /** Action on the file. */
  @TextParam({ required: true, values: FILE_ACTIONS })
  action: FileAction;

  /** Path of the file; for a move, the new one. */
  @FilePathParam()
  file_path?: string | null;

  /** Previous path of a moved file. */
  @FilePathParam()
  previous_path?: string | null;

  /** New content of the file; required by `create` and `update`. */
  @TextParam()
  content?: string | null;
}

/** PUT of a snippet: at least one of these. */
export class UpdateSnippetDto {
  /** At most 255 characters. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** Description of the snippet. */
  @TextParam()
  description?: string | null;

  /**
   * private: the author, or the members of the project; internal: all signed-in users; public:
   * everyone.
   */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** File changes, applied in this order as one commit. */
  @HashListParam(() => FileActionDto)
  files?: FileActionDto[] | null;

  /** New content of the only file; instead of `files`. */
  @TextParam({ allowEmpty: false })
  content?: string | null;

  /** New path of the only file. */
  @FilePathParam()
  file_name?: string | null;
}

const MAX_TITLE_LENGTH = 255;

/** Columns that an update sets: those given; null clears the description and keeps the others. */
export function changedAttributes(dto: UpdateSnippetDto): Partial<Snippet> {
  if (dto.title) assertTitleLength(dto.title);
  return {
    ...(dto.title && { title: dto.title }),
    ...(dto.description !== undefined && { description: dto.description }),
    ...(dto.visibility && { visibility: VISIBILITY[dto.visibility] }),
  };
}

/** 400 for a title that is too long. */
export function assertTitleLength(title: string): void {
  if (title.length <= MAX_TITLE_LENGTH) return;
  throw new ValidationFailedError({
    title: [`is too long (maximum is ${MAX_TITLE_LENGTH} characters)`],
  });
}
