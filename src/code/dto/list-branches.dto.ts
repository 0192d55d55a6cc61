import { TextParam } from '../../core/params/params.decorator.js';

/** Filters of branches. */
export class ListBranchesDto {
  /** Text in the name; `^text` at its beginning, `text$` at its end. */
  @TextParam()
  search?: string | null;

  /** By name, or by when the last commit was made; by name unless given. */
  @TextParam({ values: ['name', 'name_asc', 'updated_asc', 'updated_desc'] })
  sort?: 'name' | 'name_asc' | 'updated_asc' | 'updated_desc' | null;
}
