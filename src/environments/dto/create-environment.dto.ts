import { TextParam } from '../../core/params/params.decorator.js';
import { EnvironmentAttributesDto } from './environment-attributes.dto.js';

/** POST of an environment. */
export class CreateEnvironmentDto extends EnvironmentAttributesDto {
  /** Unlike those of the project's others; at most 255 characters. */
  @TextParam({ required: true })
  name: string;
}
