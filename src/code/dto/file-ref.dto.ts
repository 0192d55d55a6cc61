import { TextParam } from '../../core/params/params.decorator.js';

/** At which revision a file is read. */
export class FileRefDto {
  /** Branch, tag or commit; the default branch unless given. */
  @TextParam()
  ref?: string | null;
}
