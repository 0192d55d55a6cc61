import { HashListParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';
import { FilePathParam } from './file-path.decorator.js';

export const FILE_ACTIONS = ['create', 'update', 'delete', 'move'] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

/** What to do with one file; which of the other keys it needs depends on the action. */
export class FileActionDto {
  /** What to do with the file. */
  @TextParam({ required: true, values: FILE_ACTIONS })
  action: FileAction;

  /** Path of the file; for a move, the new one. */
  @FilePathParam()
  file_path?: string | null;

  /** Path that a moved file has had. */
  @FilePathParam()
  previous_path?: string | null;

  /** What the file shall hold; needed to create and to update. */
  @TextParam()
  content?: string | null;
}

/** PUT of a snippet: at least one of these. */
export class UpdateSnippetDto {
  /** At most 255 characters. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** What the snippet is for. */
  @TextParam()
  description?: string | null;

  /** private: the author, or the members of the project; internal: everybody signed in; public: everybody. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** Changes of files, made in this order as one commit. */
  @HashListParam(() => FileActionDto)
  files?: FileActionDto[] | null;

  /** What the only file shall hold; instead of `files`. */
  @TextParam({ allowEmpty: false })
  content?: string | null;

  /** New path of the only file. */
  @FilePathParam()
  file_name?: string | null;
}
