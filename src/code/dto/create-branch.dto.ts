import { TextParam } from '../../core/params/params.decorator.js';

/** POST of a branch. */
export class CreateBranchDto {
  /** Name of the new branch. */
  @TextParam({ required: true, allowEmpty: false })
  branch: string;

  /** Branch, tag or commit to start at. */
  @TextParam({ required: true, allowEmpty: false })
  ref: string;
}

/** POST of a tag. */
export class CreateTagDto {
  /** Name of the new tag. */
  @TextParam({ required: true, allowEmpty: false })
  tag_name: string;

  /** Branch, tag or commit to tag. */
  @TextParam({ required: true, allowEmpty: false })
  ref: string;

  /** Message of an annotated tag. */
  @TextParam()
  message?: string | null;
}
