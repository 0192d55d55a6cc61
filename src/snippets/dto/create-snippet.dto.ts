import { HashListParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';
import { FilePathParam } from './file-path.decorator.js';

/** One file of a new snippet. */
export class NewFileDto {
  @FilePathParam({ required: true })
  file_path: string;

  @TextParam({ required: true, allowEmpty: false })
  content: string;
}

/** POST of a snippet: exactly one of `files` and `content` (see `initialFiles`). */
export class CreateSnippetDto {
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  @TextParam()
  description?: string | null;

  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  @HashListParam(() => NewFileDto)
  files?: NewFileDto[] | null;

  @TextParam({ allowEmpty: false })
  content?: string | null;

  @FilePathParam()
  file_name?: string | null;
}
