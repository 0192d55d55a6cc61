import { IntegerParam } from '../../core/params/params.decorator.js';

/** GET /projects/new */
export class NewProjectPageDto {
  /** The namespace that is chosen at first. */
  @IntegerParam()
  namespace_id?: number | null;
}
