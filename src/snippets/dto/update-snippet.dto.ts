import { HashListParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';
import { FilePathParam } from './file-path.decorator.js';

export const FILE_ACTIONS = ['create', 'update', 'delete', 'move'] as const;
export type FileAction = (typeof FILE_ACTIONS)[number];

/** What to do with one file; which of the other keys it needs depends on the action. */
export class FileActionDto {
  @TextParam({ required: true, values: FILE_ACTIONS })
  action: FileAction;

  @FilePathParam()
  file_path?: string | null;

  @FilePathParam()
  previous_path?: string | null;

  @TextParam()
  content?: string | null;
}

/** PUT of a snippet: at least one of these. */
export class UpdateSnippetDto {
  @TextParam({ allowEmpty: false })
  title?: string | null;

  @TextParam()
  description?: string | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @HashListParam(() => FileActionDto)
  files?: FileActionDto[] | null;

  @TextParam({ allowEmpty: false })
  content?: string | null;

  @FilePathParam()
  file_name?: string | null;
}
