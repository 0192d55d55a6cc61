import { BooleanParam, IntegerParam } from '../../core/params/params.decorator.js';
import { ProjectAttributesDto } from './project-attributes.dto.js';

/** POST /projects and POST /projects/user/:user_id */
export class CreateProjectDto extends ProjectAttributesDto {
  @IntegerParam()
  namespace_id?: number | null;

  @BooleanParam()
  initialize_with_readme?: boolean | null;
}
