import { HashListParam, TextParam } from '../../core/params/params.decorator.js';
import { VISIBILITY_NAMES, type VisibilityName } from '../../members/visibility.js';
import { FilePathParam } from './file-path.decorator.js';

/** One file of a new snippet. */
export class NewFileDto {
  /** Path of the file in the repository, at most 255 characters. */
  @FilePathParam({ required: true })
  file_path: string;

  /** What the file holds. */
  @TextParam({ required: true, allowEmpty: false })
  content: string;
}

/** POST of a snippet: exactly one of `files` and `content` (see `initialFiles`). */
export class CreateSnippetDto {
  /** At most 255 characters. */
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  /** What the snippet is for. */
  @TextParam()
  description?: string | null;

  /** private: the author, or the members of the project; internal: everybody signed in; public: everybody. */
  @TextParam({ values: VISIBILITY_NAMES })
  visibility?: VisibilityName | null;

  /** At most ten files; unless `content` gives the only one. */
  @HashListParam(() => NewFileDto)
  files?: NewFileDto[] | null;

  /** What the only file holds; instead of `files`. */
  @TextParam({ allowEmpty: false })
  content?: string | null;

  /** Path of the only file; needed with `content`. */
  @FilePathParam()
  file_name?: string | null;
}
