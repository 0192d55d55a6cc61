import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { CommitAuthorDto, type Encoding, ENCODINGS } from './create-commit.dto.js';

/** Where and why a file is changed. */
export class DeleteFileDto extends CommitAuthorDto {
  /** Branch to commit to; one that is not there is made from `start_branch`. */
  @TextParam({ required: true, allowEmpty: false })
  branch: string;

  /** Commit message. */
  @TextParam({ required: true, allowEmpty: false })
  commit_message: string;

  /** Branch to begin a new branch from. */
  @TextParam({ allowEmpty: false })
  start_branch?: string | null;

  /** The last commit in which the file was seen: refused when it has changed since. */
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
