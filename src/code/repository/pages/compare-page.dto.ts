import { TextParam } from '../../../core/params/params.decorator.js';

/** GET /:project/-/compare */
export class ComparePageDto {
  /** Branch, tag or commit to start at; the default branch unless given. */
  @TextParam()
  from?: string | null;

  /** Branch, tag or commit whose changes are shown. */
  @TextParam()
  to?: string | null;
}
