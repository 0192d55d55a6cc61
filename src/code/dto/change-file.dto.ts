import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { CommitAuthorDto, type Encoding, ENCODINGS } from './create-commit.dto.js';

/** Where and why a file is changed. */
export class DeleteFileDto extends CommitAuthorDto {
  /** Branch to commit to; one that is not there is made from `start_branch`. */
  @TextParam({ required: true, allowEmpty: false })
  branch: string;

  /** What is changed, and why. */
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
  /** What the file shall hold. */
  @TextParam({ required: true })
  content: string;

  /** How `content` is written; `text` unless given. */
  @TextParam({ values: ENCODINGS })
  encoding?: Encoding | null;

  /** Whether the file can be run as a program. */
  @BooleanParam()
  execute_filemode?: boolean | null;
}
