import { TextParam, BooleanParam, ListParam } from '../../core/params/params.decorator.js';
import { ShowDiffDto } from './commit.dto.js';

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

/** Filters of branches. */
export class ListBranchesDto {
  /** Text in the name; `^text` for its beginning, `text$` for its end. */
  @TextParam()
  search?: string | null;

  /** By name or by the time of the last commit; by name by default. */
  @TextParam({ values: ['name', 'name_asc', 'updated_asc', 'updated_desc'] })
  sort?: 'name' | 'name_asc' | 'updated_asc' | 'updated_desc' | null;
}

/** Filters of tags. */
export class ListTagsDto {
  /** Text in the name; `^text` for its beginning, `text$` for its end. */
  @TextParam()
  search?: string | null;

  /** `updated` by default: creation of the tag, or of its commit. */
  @TextParam({ values: ['name', 'updated', 'version'] })
  order_by?: 'name' | 'updated' | 'version' | null;

  /** `desc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** Two revisions to compare. */
export class CompareDto extends ShowDiffDto {
  /** Branch, tag or commit that counts as the older one. */
  @TextParam({ required: true, allowEmpty: false })
  from: string;

  /** Branch, tag or commit that counts as the newer one. */
  @TextParam({ required: true, allowEmpty: false })
  to: string;

  /** Compares the two directly; otherwise `to` with their merge base. */
  @BooleanParam()
  straight?: boolean | null;
}

/** Revisions whose common ancestor is wanted. */
export class MergeBaseDto {
  /** Branches, tags or commits, at least two. */
  @ListParam({ required: true, maxItems: 20 })
  refs: string[];
}
