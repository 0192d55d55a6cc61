import { TextParam } from '../../core/params/params.decorator.js';

/** Filters of branches. */
export class ListBranchesDto {
  /** Text in the name; `^text` for its beginning, `text$` for its end. */
  @TextParam()
  search?: string | null;

  /** By name or by the time of the last commit; by name by default. */
  @TextParam({ values: ['name', 'name_asc', 'updated_asc', 'updated_desc'] })
  sort?: 'name' | 'name_asc' | 'updated_asc' | 'updated_desc' | null;
}
