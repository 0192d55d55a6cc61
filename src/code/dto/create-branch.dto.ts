import { TextParam } from '../../core/params/params.decorator.js';

/** POST of a branch. */
export class CreateBranchDto {
  /** Name of the new branch. */
  @TextParam({ required: true, allowEmpty: false })
  branch: string;

  /** Branch, tag or commit where it begins. */
  @TextParam({ required: true, allowEmpty: false })
  ref: string;
}

/** POST of a tag. */
export class CreateTagDto {
  /** Name of the new tag. */
  @TextParam({ required: true, allowEmpty: false })
  tag_name: string;

  /** Branch, tag or commit that it shall name. */
  @TextParam({ required: true, allowEmpty: false })
  ref: string;

  /** Makes it an annotated tag. */
  @TextParam()
  message?: string | null;
}
