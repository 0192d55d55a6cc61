import { BooleanParam, ListParam, TextParam } from '../../core/params/params.decorator.js';
import { ShowDiffDto } from './show-commit.dto.js';

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
