import { BooleanParam, IntegerParam } from '../../core/params/params.decorator.js';
import { ProjectAttributesDto } from './project-attributes.dto.js';

/** POST /projects and POST /projects/user/:user_id */
export class CreateProjectDto extends ProjectAttributesDto {
  /** Namespace of the project; absent = the viewer's own. */
  @IntegerParam()
  namespace_id?: number | null;

  /** true creates an initial commit with a README. */
  @BooleanParam()
  initialize_with_readme?: boolean | null;
}
