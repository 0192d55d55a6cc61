import { TextParam } from '../../core/params/params.decorator.js';

/** At which revision a file is read. */
export class FileRefDto {
  /** Branch, tag or commit; the default branch by default. */
  @TextParam()
  ref?: string | null;
}
