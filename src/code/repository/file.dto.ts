import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { CommitAuthorDto, type Encoding, ENCODINGS } from './commit.dto.js';

/** Where and why a file is changed. */
export class DeleteFileDto extends CommitAuthorDto {
  /** Branch to commit to; created from `start_branch` if it does not exist. */
  @TextParam({ required: true, allowEmpty: false })
  branch: string;

  /** Commit message. */
  @TextParam({ required: true, allowEmpty: false })
  commit_message: string;

  /** Start of a new branch. */
  @TextParam({ allowEmpty: false })
  start_branch?: string | null;

  /** Last known commit of the file: rejected if the file has changed since. */
  @TextParam()
  last_commit_id?: string | null;
}

/** A file and its content. */
export class ChangeFileDto extends DeleteFileDto {
  /** New content of the file. */
  @TextParam({ required: true })
  content: string;

  /** Encoding of `content`; `text` by default. */
  @TextParam({ values: ENCODINGS })
  encoding?: Encoding | null;

  /** Makes the file executable. */
  @BooleanParam()
  execute_filemode?: boolean | null;
}

/** At which revision a file is read. */
export class FileRefDto {
  /** Branch, tag or commit; the default branch by default. */
  @TextParam()
  ref?: string | null;
}

/** Which folder is listed. */
export class ListTreeDto {
  /** Folder; the root by default. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Branch, tag or commit; the default branch by default. */
  @TextParam()
  ref?: string | null;

  /** Includes everything below the folder. */
  @BooleanParam()
  recursive?: boolean | null;

  /**
   * `keyset` paginates by `page_token` until a page is empty; other values paginate by page number.
   */
  @TextParam({ values: ['keyset', 'legacy'] })
  pagination?: 'keyset' | 'legacy' | null;

  /** Cursor of a page with `pagination=keyset`, from the link to it. */
  @TextParam({ maxLength: 8192 })
  page_token?: string | null;
}
